/** `workflow pause` and `stop`: ask the runner, or mark the row of a run that nobody executes. */
import { PalliumError } from "../../lib/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { type ControlAction, requestControl } from "./control.ts";
import { leaseHolder } from "./lease.ts";
import { endDeadRun } from "./reconcile.ts";
import { requireRun } from "./store.ts";
import { FINAL_STATUSES, type RunStatus } from "./types.ts";

/** How long a runner may take to end its workers: their grace and some time to write. */
const PATIENCE_MS = 30_000;
const POLL_MS = 10;

export interface EndedRun {
  readonly id: string;
  readonly status: RunStatus;
  /** Nothing was changed: the run was over, or paused already. */
  readonly unchanged: boolean;
}

/** Returns once the run has ended. @throws PalliumError `run_not_found` or `runner_busy` */
export async function endFromOutside(
  database: Database,
  clock: Clock,
  id: string,
  action: ControlAction,
): Promise<EndedRun> {
  const { status } = requireRun(database, id);
  if (FINAL_STATUSES.includes(status) || (action === "pause" && status === "paused")) {
    return { id, status, unchanged: true };
  }
  const asked = await database.write((tx) => {
    if (leaseHolder(tx, id) === undefined) {
      endDeadRun(tx, id, action === "pause" ? "paused" : "stopped", clock);
      return false;
    }
    requestControl(tx, id, action, clock);
    return true;
  });
  if (asked) await runnerGone(database, clock, id);
  return { id, status: requireRun(database, id).status, unchanged: false };
}

async function runnerGone(database: Database, clock: Clock, id: string): Promise<void> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  while (leaseHolder(database, id) !== undefined) {
    if (clock.monotonicMs() > deadline) {
      throw new PalliumError(
        "runner_busy",
        `the runner of ${id} was asked to end and has not done so within ${PATIENCE_MS / 1000} s`,
        { hints: [`look again: pallium workflow status ${id}`] },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
