/** What the command that ran a workflow says at its end: the document, the warnings, the verdict on its exit. */
import { PalliumError } from "../../lib/errors.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver } from "../powers.ts";
import { isEmptyResult } from "../reports/empty-result.ts";
import type { ControlAction } from "./control.ts";
import type { PlannedRun } from "./request.ts";
import { readSnapshot, requireRun } from "./store.ts";
import { NATIVE_PROVIDER, type Snapshot } from "./types.ts";

export interface RunReport {
  readonly snapshot: Snapshot;
  /** Why the command fails, if it does; the snapshot is printed all the same. */
  readonly error?: PalliumError;
}

/** Exit status of a process that was ended by Ctrl-C or SIGTERM. */
const SIGNAL_EXIT: Readonly<Record<ControlAction, number>> = { pause: 130, stop: 143 };

export function runReport(
  database: Database,
  plan: PlannedRun,
  observer: RunObserver,
  bySignal: ControlAction | undefined,
): RunReport {
  const snapshot = readSnapshot(database, requireRun(database, plan.id));
  warnOfDrops(snapshot, observer);
  const error = runError(snapshot, bySignal);
  return error === undefined ? { snapshot } : { snapshot, error };
}

/** A run that completed although calls failed says so, and says it louder when nothing came out. */
function warnOfDrops({ run }: Snapshot, observer: RunObserver): void {
  const dropped = run.failures?.length ?? 0;
  if (run.status !== "completed" || dropped === 0) return;
  const empty = isEmptyResult(run.result ?? "") ? "; the result is EMPTY" : "";
  observer.notice(
    `[workflow:${run.id}] warning: ${dropped} ${dropped === 1 ? "item" : "items"} failed and ${dropped === 1 ? "was" : "were"} dropped${empty}; see: pallium workflow inspect ${run.id}`,
  );
}

function runError(
  { run, agents }: Snapshot,
  bySignal: ControlAction | undefined,
): PalliumError | undefined {
  const resume = `go on with: pallium workflow resume ${run.id}`;
  if (run.status === "completed") {
    const real = agents.filter(({ provider }) => provider !== NATIVE_PROVIDER);
    if (real.length === 0 || real.some(({ status }) => status !== "failed")) return undefined;
    return new PalliumError(
      "every_agent_failed",
      `workflow run ${run.id} failed: every agent failed`,
      {
        hints: [`see why: pallium workflow inspect ${run.id}`],
      },
    );
  }
  const interrupted = run.status === "paused" || run.status === "stopped";
  return new PalliumError(run.error_code ?? "run_failed", run.error ?? `workflow ${run.status}`, {
    hints: [resume],
    exitCode: interrupted && bySignal !== undefined ? SIGNAL_EXIT[bySignal] : 1,
  });
}
