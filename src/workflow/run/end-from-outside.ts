/** `workflow pause` and `stop`: ask the runner, or mark the row of a run that nobody executes. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import { endCalls } from "../calls/child.ts";
import type { WorkflowPowers } from "../powers.ts";
import { type ControlAction, requestControl } from "./control.ts";
import { leaseHolder } from "./lease.ts";
import { endDeadRun } from "./reconcile.ts";
import { readOpenCalls } from "./resume-state.ts";
import { requireRun } from "./store.ts";
import { FINAL_STATUSES, type RunStatus } from "./types.ts";

/** How long a runner may take to end its workers: their grace and some time to write. */
const PATIENCE_MS = 30_000;
const POLL_MS = 10;

type Powers = Pick<WorkflowPowers, "clock" | "runsDirectory">;

export interface EndedRun {
  readonly id: string;
  readonly status: RunStatus;
  /** Nothing was changed: the run was over, or paused already. */
  readonly unchanged: boolean;
}

/** Returns once the run and its workers have ended. @throws PalliumError `run_not_found` or `runner_busy` */
export async function endFromOutside(
  powers: Powers,
  database: Database,
  id: string,
  action: ControlAction,
): Promise<EndedRun> {
  requireRun(database, id);
  const deadline = powers.clock.monotonicMs() + PATIENCE_MS;
  let asked = false;
  for (;;) {
    const step = await database.write((tx) => nextStep(tx, powers, id, action, asked));
    if (step === "over") {
      return { id, status: requireRun(database, id).status, unchanged: !asked };
    }
    if (step === "ended") {
      await endCalls(
        { runId: id, directory: join(powers.runsDirectory, id) },
        readOpenCalls(database, id),
      );
      return { id, status: requireRun(database, id).status, unchanged: false };
    }
    asked = true;
    await runnerGone(powers, database, id, deadline);
  }
}

/** What there was to do about the run, done in the transaction that looked. */
function nextStep(
  tx: Transaction,
  { clock }: Powers,
  id: string,
  action: ControlAction,
  asked: boolean,
): "over" | "ended" | "asked" {
  if (leaseHolder(tx, id, clock) !== undefined) {
    if (!asked) requestControl(tx, id, action, clock);
    return "asked";
  }
  const { status } = requireRun(tx, id);
  if (FINAL_STATUSES.includes(status) || (action === "pause" && status === "paused")) return "over";
  endDeadRun(tx, id, action === "pause" ? "paused" : "stopped", clock);
  return "ended";
}

async function runnerGone(
  { clock }: Powers,
  database: Database,
  id: string,
  deadline: number,
): Promise<void> {
  while (leaseHolder(database, id, clock) !== undefined) {
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
