/**
 * Who executes a run. The holder is named by an opaque owner text; the fence grows with every
 * acquisition, and every write of the journal is conditional on it.
 */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Clock } from "../../platform/clock.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "../../platform/process/identity.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";

export interface Lease {
  readonly runId: string;
  readonly fence: number;
}

interface LeaseRow {
  readonly fence: number;
  readonly owner: string | null;
  readonly owner_pid: number;
  readonly heartbeat_at: string;
}

export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  readonly heartbeatAt: string;
}

/** A process that cannot be seen from here counts as living for this long after its last heartbeat. */
export const UNSEEN_PATIENCE_MS = 120_000;

/**
 * The living holder of a run, if there is one.
 * @param patienceMs how long one that cannot be seen from here is believed to live.
 */
export function leaseHolder(
  reader: Pick<Database, "get">,
  runId: string,
  clock: Clock,
  patienceMs: number = UNSEEN_PATIENCE_MS,
): LeaseHolder | undefined {
  const row = reader.get<LeaseRow>(
    "SELECT fence, owner, owner_pid, heartbeat_at FROM workflow_leases WHERE run_id = ?",
    runId,
  );
  const owner = ownerOf(row);
  if (row === undefined || owner === undefined || !holds(row, owner, clock, patienceMs))
    return undefined;
  return { pid: owner.pid, host: owner.host, heartbeatAt: row.heartbeat_at };
}

/** Another host or container is believed by its heartbeat; the fence protects should it wake up. */
function holds(row: LeaseRow, owner: ProcessIdentity, clock: Clock, patienceMs: number): boolean {
  const alive = isAlive(owner);
  if (alive !== "elsewhere") return alive;
  return clock.now().getTime() - Date.parse(row.heartbeat_at) < patienceMs;
}

/**
 * Takes the lease inside the caller's transaction, so that what it writes besides stands or falls with it.
 * @throws PalliumError `run_owned` while a living process holds it.
 */
export function acquireLease(tx: Transaction, runId: string, clock: Clock): Lease {
  const holder = leaseHolder(tx, runId, clock);
  if (holder !== undefined) {
    throw new PalliumError(
      "run_owned",
      `workflow run ${runId} is being executed by process ${holder.pid} on ${holder.host}`,
      { hints: [`wait for it, or end it with: pallium workflow stop ${runId}`] },
    );
  }
  const owner = ownIdentity();
  const row = tx.get<{ fence: number }>(
    `INSERT INTO workflow_leases (run_id, fence, owner, owner_pid, heartbeat_at) VALUES (?, 1, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET fence = fence + 1, owner = excluded.owner,
       owner_pid = excluded.owner_pid, heartbeat_at = excluded.heartbeat_at
     RETURNING fence`,
    runId,
    JSON.stringify(owner),
    owner.pid,
    clock.iso(),
  );
  if (row === undefined) throw new PalliumError("internal_error", "the lease was not written");
  return { runId, fence: row.fence };
}

/** Confirms the lease inside a transaction and refreshes its heartbeat. @throws PalliumError `lease_lost` */
export function holdLease(tx: Transaction, lease: Lease, clock: Clock): void {
  const { changes } = tx.run(
    "UPDATE workflow_leases SET heartbeat_at = ? WHERE run_id = ? AND fence = ? AND owner IS NOT NULL",
    clock.iso(),
    lease.runId,
    lease.fence,
  );
  if (changes === 0) throw leaseLost(lease.runId);
}

export function leaseLost(runId: string): PalliumError {
  return new PalliumError("lease_lost", `another process took over workflow run ${runId}`, {
    fatal: true,
    hints: [`see who: pallium workflow status ${runId}`],
  });
}

/** Gives the lease back; the pid stays on record as the last owner. */
export function releaseLease(tx: Transaction, lease: Lease): void {
  tx.run(
    "UPDATE workflow_leases SET owner = NULL WHERE run_id = ? AND fence = ?",
    lease.runId,
    lease.fence,
  );
}

function ownerOf(row: LeaseRow | undefined): ProcessIdentity | undefined {
  if (row === undefined || row.owner === null) return undefined;
  const owner = parseJson(row.owner);
  return isRecord(owner) && typeof owner.pid === "number"
    ? (owner as unknown as ProcessIdentity)
    : undefined;
}
