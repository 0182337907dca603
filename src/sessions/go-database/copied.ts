/** What was copied from databases of the Go program, so that each session is copied once. */
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";

/** How a database was when all of it had been looked at. */
export interface CopiedDatabase {
  /** Differs when the database was written since. */
  readonly stamp: string;
  /** How many sessions it had. */
  readonly sessions: number;
  /** Why not all of it could be read. */
  readonly error: string | null;
}

export function findCopied(reader: Reader, path: string): CopiedDatabase | undefined {
  return reader.get<CopiedDatabase>(
    "SELECT stamp, sessions, error FROM copied_databases WHERE path = ?",
    path,
  );
}

export function putCopied(
  tx: Transaction,
  path: string,
  { stamp, sessions, error }: CopiedDatabase,
  now: string,
): void {
  tx.run(
    `INSERT OR REPLACE INTO copied_databases (path, stamp, sessions, error, copied_at)
     VALUES (?, ?, ?, ?, ?)`,
    path,
    stamp,
    sessions,
    error,
    now,
  );
}

/** When sessions had changed last, there, when they were copied or had no need to be. */
export function copiedRecords(reader: Reader, path: string): ReadonlyMap<string, string> {
  const rows = reader.all<{ id: string; changed_at: string }>(
    "SELECT id, changed_at FROM copied_records WHERE path = ?",
    path,
  );
  return new Map(rows.map(({ id, changed_at }) => [id, changed_at]));
}

export function noteCopied(tx: Transaction, path: string, id: string, changedAt: string): void {
  tx.run(
    "INSERT OR REPLACE INTO copied_records (path, id, changed_at) VALUES (?, ?, ?)",
    path,
    id,
    changedAt,
  );
}

/** What is here under the id of a session that is to be copied. */
export interface SessionHere {
  readonly key: number;
  readonly updated_at: string;
  /** Last line of what was copied; `null` where the session was read from its transcript. */
  readonly read_to: number | null;
}

export function sessionHere(
  reader: Reader,
  machine: string,
  provider: string,
  id: string,
): SessionHere | undefined {
  return reader.get<SessionHere>(
    `SELECT key, updated_at, read_to FROM sessions LEFT JOIN copied_sessions ON session = key
     WHERE machine = ? AND provider = ? AND id = ?`,
    machine,
    provider,
    id,
  );
}
