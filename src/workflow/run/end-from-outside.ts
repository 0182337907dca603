/** `workflow pause` and `stop`: ask the runner, or mark the row of a run that nobody executes. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import { sleep } from "../../platform/sleep.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import { endCalls } from "../calls/child.ts";
import type { WorkflowPowers } from "../powers.ts";
import { QUOTA_PAUSE } from "./breaker.ts";
import { type ControlAction, type ControlRequest, requestControl } from "./control.ts";
import { acquireLease, holdLease, type Lease, leaseHolder, releaseLease } from "./lease.ts";
import { markEnded } from "./reconcile.ts";
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
  /** Nothing was changed: the run was over, or paused already and nobody may be waiting to go on with it. */
  readonly unchanged: boolean;
}

/**
 * Returns once the run and its workers have ended; a drain takes as long as the calls at work.
 * @throws PalliumError `run_not_found` or `runner_busy`
 */
export async function endFromOutside(
  powers: Powers,
  database: Database,
  id: string,
  request: ControlRequest,
): Promise<EndedRun> {
  requireRun(database, id);
  const patienceMs = request === "drain" ? Number.POSITIVE_INFINITY : PATIENCE_MS;
  const deadline = powers.clock.monotonicMs() + patienceMs;
  let asked = false;
  for (;;) {
    const step = await database.write((tx) => nextStep(tx, powers, id, request, asked));
    if (step === "over" || step === "held") {
      const { status } = requireRun(database, id);
      // A runner that was asked may have come to the end of its run before it looked.
      const obeyed = asked && (status === "stopped" || status === "paused");
      return { id, status, unchanged: step === "over" && !obeyed };
    }
    if (step !== "asked") {
      await endDeadRun(powers, database, step, request === "stop" ? "stop" : "pause");
      return { id, status: requireRun(database, id).status, unchanged: false };
    }
    asked = true;
    await runnerGone(powers, database, id, deadline);
  }
}

/** Asks the runner, or takes the lease of a run without one, in the transaction that looked. */
function nextStep(
  tx: Transaction,
  { clock }: Powers,
  id: string,
  request: ControlRequest,
  asked: boolean,
): "over" | "held" | "asked" | Lease {
  if (leaseHolder(tx, id, clock) !== undefined) {
    if (!asked) requestControl(tx, id, request, clock);
    return "asked";
  }
  const { status, error_code } = requireRun(tx, id);
  if (FINAL_STATUSES.includes(status)) return "over";
  if (request === "stop" || status !== "paused") return acquireLease(tx, id, clock);
  if (error_code !== QUOTA_PAUSE) return "over";
  endQuotaWait(tx, id, clock);
  return "held";
}

/**
 * A process that waits for the quota of a run holds no lease and goes on only with the row it left.
 * Everything else in the row stays, such as when the quota comes back.
 */
function endQuotaWait(tx: Transaction, id: string, clock: Clock): void {
  tx.run("UPDATE workflow_runs SET updated_at = ? WHERE id = ?", clock.iso(), id);
}

/**
 * Ends the workers first and marks the row last: should this process die in between, the run is still
 * there to be ended. Nobody resumes it meanwhile.
 */
async function endDeadRun(
  { clock, runsDirectory }: Powers,
  database: Database,
  lease: Lease,
  action: ControlAction,
): Promise<void> {
  const { runId } = lease;
  try {
    await endCalls(
      { runId, directory: join(runsDirectory, runId) },
      readOpenCalls(database, runId),
    );
    await database.write((tx) => {
      holdLease(tx, lease, clock);
      markEnded(tx, lease, action === "pause" ? "paused" : "stopped", clock);
    });
  } finally {
    await database.write((tx) => releaseLease(tx, lease));
  }
}

async function runnerGone(
  { clock }: Powers,
  database: Database,
  id: string,
  deadline: number,
): Promise<void> {
  while (leaseHolder(database, id, clock) !== undefined) {
    if (clock.monotonicMs() > deadline) throw runnerBusy(id);
    await sleep(POLL_MS);
  }
}

function runnerBusy(id: string): PalliumError {
  return new PalliumError(
    "runner_busy",
    `the runner of ${id} was asked to end and has not done so within ${PATIENCE_MS / 1000} s`,
    { hints: [`look again: pallium workflow status ${id}`] },
  );
}
