/** Locks in the ledger: who holds one, and whether that counts. */
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "../../../platform/process/identity.ts";
import type { Reader, Transaction } from "../../../platform/sqlite/database.ts";

/** A process that cannot be seen from here holds a lock for this long after it last said so. */
export const UNSEEN_PATIENCE_MS = 120_000;

export interface LockClaim {
  /** What is locked; one of each in a repository. */
  readonly name: string;
  readonly runId: string;
  /** Absolute top of the working tree. */
  readonly root: string;
  /** Who asks; this process where nobody is named. */
  readonly owner?: ProcessIdentity;
}

export interface LockHolder {
  /** Names this holding; it never comes again. */
  readonly token: string;
  readonly runId: string;
  readonly root: string;
  /** Absent where what is on record cannot be read. */
  readonly owner?: ProcessIdentity;
  readonly refreshedAt: string;
}

interface LockRow {
  readonly token: string;
  readonly run_id: string;
  readonly root: string;
  readonly owner: string;
  readonly refreshed_at: string;
}

/** Whoever holds a lock and lives, as far as can be known. */
export function lockHolder(reader: Reader, name: string, clock: Clock): LockHolder | undefined {
  const row = reader.get<LockRow>(
    "SELECT token, run_id, root, owner, refreshed_at FROM locks WHERE name = ?",
    name,
  );
  if (row === undefined) return undefined;
  const owner = ownerOf(row.owner);
  if (owner === undefined || !holds(row, owner, clock)) return undefined;
  const { token, run_id: runId, root, refreshed_at: refreshedAt } = row;
  return { token, runId, root, owner, refreshedAt };
}

/** One of another host or container is believed by what it last wrote. */
function holds(row: LockRow, owner: ProcessIdentity, clock: Clock): boolean {
  const alive = isAlive(owner);
  if (alive !== "elsewhere") return alive;
  return clock.now().getTime() - Date.parse(row.refreshed_at) < UNSEEN_PATIENCE_MS;
}

function ownerOf(text: string): ProcessIdentity | undefined {
  const owner = parseJson(text);
  return isRecord(owner) && typeof owner.pid === "number"
    ? (owner as unknown as ProcessIdentity)
    : undefined;
}

/** Takes a lock that nobody holds. @returns its token, or who holds it. */
export function takeLock(tx: Transaction, claim: LockClaim, clock: Clock): string | LockHolder {
  const holder = lockHolder(tx, claim.name, clock);
  if (holder !== undefined) return holder;
  const token = crypto.randomUUID();
  tx.run(
    `INSERT OR REPLACE INTO locks
       (name, token, holds, run_id, root, owner, acquired_at, refreshed_at)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?)`,
    claim.name,
    token,
    claim.runId,
    claim.root,
    JSON.stringify(claim.owner ?? ownIdentity()),
    clock.iso(),
    clock.iso(),
  );
  return token;
}

/** Whether the holder is the one who asks, so that it may take the lock once more. */
export function isOwn(holder: LockHolder, { runId, owner = ownIdentity() }: LockClaim): boolean {
  const { owner: other } = holder;
  return (
    holder.runId === runId &&
    other?.pid === owner.pid &&
    other.startTime === owner.startTime &&
    other.bootId === owner.bootId &&
    other.pidNamespace === owner.pidNamespace
  );
}

/** Counts one more holding under the same token. */
export function takeAgain(tx: Transaction, token: string): void {
  tx.run("UPDATE locks SET holds = holds + 1 WHERE token = ?", token);
}

/** Gives one holding back; the last one frees the lock. One that another took over stays theirs. */
export function dropLock(tx: Transaction, token: string): void {
  tx.run("UPDATE locks SET holds = holds - 1 WHERE token = ?", token);
  tx.run("DELETE FROM locks WHERE token = ? AND holds <= 0", token);
}

/** Takes away what a run held whose processes died; it counts for nobody, and is there all the same. */
export function dropDeadLocks(tx: Transaction, runId: string, clock: Clock): void {
  for (const { name } of tx.all<{ name: string }>(
    "SELECT name FROM locks WHERE run_id = ?",
    runId,
  )) {
    if (lockHolder(tx, name, clock) === undefined) tx.run("DELETE FROM locks WHERE name = ?", name);
  }
}

/** Says that the holder is still there. @returns false where another took the lock over. */
export function refreshLock(tx: Transaction, token: string, clock: Clock): boolean {
  return (
    tx.run("UPDATE locks SET refreshed_at = ? WHERE token = ?", clock.iso(), token).changes > 0
  );
}

/** Whether a lock is still held under this token. */
export function isHeld(reader: Reader, token: string): boolean {
  return reader.get("SELECT 1 AS held FROM locks WHERE token = ?", token) !== undefined;
}
