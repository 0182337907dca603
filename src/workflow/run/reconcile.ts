/** Makes rows true whose runner died: each is taken over, marked, and given back. */
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";
import {
  acquireLease,
  type Lease,
  leaseHolder,
  releaseLease,
  UNSEEN_PATIENCE_MS,
} from "./lease.ts";
import { requireRun } from "./store.ts";
import { OPEN_STATUSES, type RunStatus } from "./types.ts";

export interface ReconciledRun {
  readonly run_id: string;
  /** Calls that were marked `interrupted`. */
  readonly agents_reconciled: number;
}

/**
 * Takes no write lock unless there is a run to mark.
 * @param patienceMs how long a runner that cannot be seen from here is believed to live; never less
 *   than what protects it from others.
 */
export async function reconcileRuns(
  database: Database,
  clock: Clock,
  patienceMs = 0,
): Promise<ReconciledRun[]> {
  const unseenMs = Math.max(patienceMs, UNSEEN_PATIENCE_MS);
  const stale = database
    .all<{ id: string }>(
      "SELECT id FROM workflow_runs WHERE status IN ('queued', 'running') ORDER BY id",
    )
    .filter(({ id }) => leaseHolder(database, id, clock, unseenMs) === undefined);
  const reconciled: ReconciledRun[] = [];
  for (const { id } of stale) {
    const run = await reconcileRun(database, clock, id);
    if (run !== undefined) reconciled.push(run);
  }
  return reconciled;
}

/** Marks one run where nobody executes it, though it is on record as open. */
export function reconcileRun(
  database: Database,
  clock: Clock,
  id: string,
): Promise<ReconciledRun | undefined> {
  return database.write((tx) => interruptRun(tx, id, clock));
}

function interruptRun(tx: Transaction, id: string, clock: Clock): ReconciledRun | undefined {
  const isOpen = OPEN_STATUSES.includes(requireRun(tx, id).status);
  if (!isOpen || leaseHolder(tx, id, clock) !== undefined) return undefined;
  const lease = acquireLease(tx, id, clock);
  const agents_reconciled = markEnded(tx, lease, "interrupted", clock);
  releaseLease(tx, lease);
  return { run_id: id, agents_reconciled };
}

/**
 * Writes down that a run which nobody executes has ended, with a status of the caller's.
 * @returns how many calls were still marked as running.
 */
export function markEnded(
  tx: Transaction,
  { runId: id, fence }: Lease,
  status: RunStatus,
  clock: Clock,
): number {
  const now = clock.iso();
  tx.run(
    `UPDATE workflow_runs SET status = ?, error = ?, error_code = ?, resume_after = NULL, updated_at = ?,
       completed_at = ?
     WHERE id = ?`,
    status,
    status === "interrupted" ? "the runner died" : `workflow ${status}`,
    status === "interrupted" ? "runner_died" : `workflow_${status}`,
    now,
    status === "stopped" ? now : null,
    id,
  );
  tx.run(
    `UPDATE workflow_phases SET status = 'completed', updated_at = ?, completed_at = ?
     WHERE run_id = ? AND status = 'running'`,
    now,
    now,
    id,
  );
  const { changes } = tx.run(
    "UPDATE workflow_calls SET status = 'interrupted', updated_at = ? WHERE run_id = ? AND status = 'running'",
    now,
    id,
  );
  tx.run(
    `INSERT INTO workflow_events (run_id, seq, type, data, fence, created_at)
     SELECT ?, coalesce(max(seq), 0) + 1, 'run', ?, ?, ? FROM workflow_events WHERE run_id = ?`,
    id,
    JSON.stringify({ status }),
    fence,
    now,
    id,
  );
  return changes;
}
