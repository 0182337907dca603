/** What the command that ran a workflow says at its end: the document, the warnings, the verdict on its exit. */
import { PalliumError } from "../../lib/errors.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver } from "../powers.ts";
import { isEmptyResult } from "../reports/empty-result.ts";
import { currentCalls } from "../reports/status.ts";
import type { ControlAction } from "./control.ts";
import { nextSteps } from "./next-step.ts";
import type { PlannedRun } from "./request.ts";
import { readSnapshot, requireRun } from "./store.ts";
import type { Snapshot } from "./types.ts";

export interface RunReport {
  readonly snapshot: Snapshot;
  /** Why the command fails, if it does; the snapshot is printed all the same. */
  readonly error?: PalliumError;
}

/** Exit status of a process that was ended by Ctrl-C or SIGTERM. */
export const SIGNAL_EXIT: Readonly<Record<ControlAction, number>> = { pause: 130, stop: 143 };

/** @param agentIds the agents of this execution, as opposed to earlier ones. */
export function runReport(
  database: Database,
  plan: PlannedRun,
  observer: RunObserver,
  bySignal: ControlAction | undefined,
  agentIds: ReadonlySet<string>,
): RunReport {
  const snapshot = readSnapshot(database, requireRun(database, plan.id));
  warnOfDrops(snapshot, observer);
  const error = runError(snapshot, bySignal, agentIds, plan.db);
  return error === undefined ? { snapshot } : { snapshot, error };
}

/** A run that completed although calls failed says so, and says it louder when nothing came out. */
function warnOfDrops({ run }: Snapshot, observer: RunObserver): void {
  const dropped = run.failures?.length ?? 0;
  if (run.status !== "completed" || dropped === 0) return;
  const empty = isEmptyResult(run.result ?? "") ? "; the result is EMPTY" : "";
  observer.warn(
    `[workflow:${run.id}] ${dropped} ${dropped === 1 ? "item" : "items"} failed and ${dropped === 1 ? "was" : "were"} dropped${empty}; see: pallium workflow inspect ${run.id}`,
  );
}

function runError(
  { run, agents }: Snapshot,
  bySignal: ControlAction | undefined,
  agentIds: ReadonlySet<string>,
  db: string | undefined,
): PalliumError | undefined {
  if (run.status === "completed") {
    const real = currentCalls(agents).filter(({ id }) => agentIds.has(id));
    if (real.length === 0 || real.some(({ status }) => status !== "failed")) return undefined;
    const code = "every_agent_failed";
    return new PalliumError(code, `workflow run ${run.id} failed: every agent failed`, {
      hints: nextSteps({ ...run, error_code: code }, db),
    });
  }
  const interrupted = run.status === "paused" || run.status === "stopped";
  return new PalliumError(run.error_code ?? "run_failed", run.error ?? `workflow ${run.status}`, {
    hints: nextSteps(run, db),
    exitCode: interrupted && bySignal !== undefined ? SIGNAL_EXIT[bySignal] : 1,
  });
}
