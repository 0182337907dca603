/** `workflow stop`: asks the runner to end, or ends the row of a run that nobody executes. */
import { PalliumError } from "../../lib/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { requestControl } from "./control.ts";
import { leaseHolder } from "./lease.ts";
import { endDeadRun } from "./reconcile.ts";
import { requireRun } from "./store.ts";
import { FINAL_STATUSES, type RunStatus } from "./types.ts";

/** How long a runner may take to end its workers: their grace and some time to write. */
const PATIENCE_MS = 30_000;
const POLL_MS = 10;

export interface StopResult {
  readonly id: string;
  readonly status: RunStatus;
  /** The run was over before: nothing was changed. */
  readonly already_over: boolean;
}

/** Returns once the run has ended. @throws PalliumError `run_not_found` or `stop_timeout` */
export async function stopRun(database: Database, clock: Clock, id: string): Promise<StopResult> {
  const before = requireRun(database, id);
  if (FINAL_STATUSES.includes(before.status)) {
    return { id, status: before.status, already_over: true };
  }
  const asked = await database.write((tx) => {
    if (leaseHolder(tx, id) === undefined) {
      endDeadRun(tx, id, "stopped", clock);
      return false;
    }
    requestControl(tx, id, "stop", clock);
    return true;
  });
  if (asked) await runnerGone(database, clock, id);
  return { id, status: requireRun(database, id).status, already_over: false };
}

async function runnerGone(database: Database, clock: Clock, id: string): Promise<void> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  while (leaseHolder(database, id) !== undefined) {
    if (clock.monotonicMs() > deadline) {
      throw new PalliumError(
        "stop_timeout",
        `the runner of ${id} was asked to stop and has not ended within ${PATIENCE_MS / 1000} s`,
        { hints: [`look again: pallium workflow status ${id}`] },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
