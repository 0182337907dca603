/** What was copied from databases of the Go program, so that each record is copied once. */
import { parseJson } from "../../lib/json.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";

export type CopiedKind = "run" | "trigger";

/** How a database was when all of it had been looked at. */
export interface CopiedDatabase {
  /** Differs when the database was written since. */
  readonly stamp: string;
  /** Processes of the Go program that execute runs which are not copied yet. */
  readonly waitsFor: readonly number[];
  /** Why nothing of it could be read. */
  readonly error: string | null;
}

export function findCopied(reader: Reader, path: string): CopiedDatabase | undefined {
  const row = reader.get<{ stamp: string; waits_for: string; error: string | null }>(
    "SELECT stamp, waits_for, error FROM copied_databases WHERE path = ?",
    path,
  );
  if (row === undefined) return undefined;
  const pids = parseJson(row.waits_for);
  const waitsFor = Array.isArray(pids) ? pids.map(Number) : [];
  return { stamp: row.stamp, waitsFor, error: row.error };
}

export function putCopied(
  tx: Transaction,
  path: string,
  { stamp, waitsFor, error }: CopiedDatabase,
  now: string,
): void {
  tx.run(
    `INSERT INTO copied_databases (path, stamp, waits_for, error, copied_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, waits_for = excluded.waits_for,
       error = excluded.error, copied_at = excluded.copied_at`,
    path,
    stamp,
    JSON.stringify(waitsFor),
    error,
    now,
  );
}

/** When a record had changed last, there, when it was copied; `undefined` where it was not. */
export function copiedAt(
  reader: Reader,
  path: string,
  kind: CopiedKind,
  id: string,
): string | undefined {
  return reader.get<{ changed_at: string }>(
    "SELECT changed_at FROM copied_records WHERE path = ? AND kind = ? AND id = ?",
    path,
    kind,
    id,
  )?.changed_at;
}

export function noteCopied(
  tx: Transaction,
  path: string,
  record: { readonly kind: CopiedKind; readonly id: string; readonly changedAt: string },
  now: string,
): void {
  tx.run(
    `INSERT INTO copied_records (path, kind, id, changed_at, copied_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (path, kind, id) DO UPDATE SET changed_at = excluded.changed_at,
       copied_at = excluded.copied_at`,
    path,
    record.kind,
    record.id,
    record.changedAt,
    now,
  );
}
