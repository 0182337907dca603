/** Reports on one run and on many, as operations call them. */
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { ReconciledRun } from "../run/reconcile.ts";
import { requireRun } from "../run/store.ts";
import { type RunIdRequest, reconcile, type StoreRequest, type WithStore } from "../with-store.ts";
import { type AnalyticsReport, readAnalytics } from "./analytics.ts";
import { type FleetReport, readFleet } from "./fleet.ts";
import { readReport, type WorkflowReport } from "./report.ts";
import { reportDecisions } from "./report-decisions.ts";

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
  if (related)
    observer.warn("related sessions are not looked for: there is no memory of sessions yet");
  return {
    ...document,
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(related ? { related_sessions: [] } : {}),
  };
}
