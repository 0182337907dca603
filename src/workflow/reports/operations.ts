/** Reports on one run and on many, as operations call them. */
import { PalliumError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RelatedSession, RunObserver, WorkflowPowers } from "../powers.ts";
import { sessionsOfRun } from "../run/call-sessions.ts";
import type { ReconciledRun } from "../run/reconcile.ts";
import { type RunRow, requireRun } from "../run/store.ts";
import { type RunIdRequest, reconcile, type StoreRequest, type WithStore } from "../with-store.ts";
import { type AnalyticsReport, readAnalytics } from "./analytics.ts";
import { type FleetReport, readFleet } from "./fleet.ts";
import { readReport, type WorkflowReport } from "./report.ts";
import { reportDecisions } from "./report-decisions.ts";

const MOST_SESSIONS = 5;

export interface ReportRequest extends RunIdRequest {
  /** Sessions of agents that were about the same. */
  readonly related?: boolean;
}

export interface OverviewRequest extends StoreRequest {
  /** Most runs to count, the newest. */
  readonly limit: number;
}

export interface OverviewOperations {
  /** @throws PalliumError `run_not_found` */
  report(request: ReportRequest, observer: RunObserver): Promise<WorkflowReport>;
  analytics(request: OverviewRequest, observer: RunObserver): Promise<AnalyticsReport>;
  fleet(request: OverviewRequest, observer: RunObserver): Promise<FleetReport>;
}

export function overviewOperations(
  powers: WorkflowPowers,
  withStore: WithStore,
): OverviewOperations {
  const overview =
    <Report>(
      read: (
        database: Database,
        limit: number,
        now: Date,
        reconciled: readonly ReconciledRun[],
      ) => Report,
    ) =>
    ({ db, limit }: OverviewRequest, observer: RunObserver): Promise<Report> =>
      withStore(db, async (database) => {
        const reconciled = await reconcile(powers, database, observer);
        return read(database, limit, powers.clock.now(), reconciled);
      });
  return {
    report: ({ db, ...request }, observer) =>
      withStore(db, (database) => report(powers, database, request, observer)),
    analytics: overview(readAnalytics),
    fleet: overview(readFleet),
  };
}

async function report(
  powers: WorkflowPowers,
  database: Database,
  { id, related = false }: Omit<ReportRequest, "db">,
  observer: RunObserver,
): Promise<WorkflowReport> {
  const row = requireRun(database, id);
  const document = readReport(database, row);
  const decisions = await reportDecisions(powers, database, row);
  const sessions = related ? await relatedSessions(powers, database, row, observer) : undefined;
  return {
    ...document,
    ...(decisions.length === 0 ? {} : { decisions }),
    ...optional({ related_sessions: sessions }),
  };
}

/** A memory that cannot be asked is no reason to say nothing of the run. */
async function relatedSessions(
  powers: WorkflowPowers,
  database: Database,
  { id, cwd, task }: RunRow,
  { warn }: RunObserver,
): Promise<readonly RelatedSession[]> {
  const ofRun = sessionsOfRun(database, id).map(({ session_id }) => session_id);
  try {
    const search = { folder: cwd, query: task, ofRun, limit: MOST_SESSIONS };
    return (await powers.relatedSessions?.(search)) ?? [];
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    warn(`related sessions are left out: ${error.message}`);
    return [];
  }
}
