/** Transcripts that an index leaves out: of sessions that were forgotten, or pruned and not written since. */
import { basename } from "node:path";
import { sha256 } from "../../platform/hash.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";

interface SessionName {
  readonly provider: string;
  readonly id: string;
}

/** All that is kept of a session that was forgotten. */
function hashOf({ provider, id }: SessionName): string {
  return sha256(`${provider}\n${id}`);
}

export function rememberForgotten(tx: Transaction, session: SessionName, now: string): void {
  tx.run(
    "INSERT OR IGNORE INTO forgotten (id_hash, forgotten_at) VALUES (?, ?)",
    hashOf(session),
    now,
  );
}

/** Whether a session was forgotten, or the one whose helper it is. */
export function isForgotten(
  reader: Reader,
  { provider, id, parentId = "" }: SessionName & { readonly parentId?: string },
): boolean {
  const found = reader.get(
    "SELECT 1 FROM forgotten WHERE id_hash IN (?, ?)",
    hashOf({ provider, id }),
    parentId === "" ? "" : hashOf({ provider, id: parentId }),
  );
  return found !== undefined;
}

export function rememberPruned(tx: Transaction, session: number): void {
  tx.run(
    `INSERT OR REPLACE INTO pruned_sources (device, inode, size, modified_ms)
     SELECT device, inode, size, modified_ms FROM sources WHERE session = ?1 AND modified_ms > 0
     UNION SELECT device, inode, size, modified_ms FROM duplicate_sources WHERE session = ?1`,
    session,
  );
}

/**
 * A function that tells whether a file is left out, as far as its name and state say so.
 * @param force whether what was pruned is wanted again; what was forgotten never is.
 */
export function leftOut(reader: Reader, force: boolean): (file: TranscriptFile) => boolean {
  const forgotten = new Set(
    reader.all<{ id_hash: string }>("SELECT id_hash FROM forgotten").map((row) => row.id_hash),
  );
  const pruned = new Set(
    force ? [] : reader.all<Stat>("SELECT * FROM pruned_sources").map((row) => statKey(row)),
  );
  return ({ path, provider, device, inode, size, modifiedMs }) => {
    const stat = { device, inode, size, modified_ms: modifiedMs };
    if (pruned.size > 0 && pruned.has(statKey(stat))) return true;
    if (forgotten.size === 0) return false;
    return idsIn(path).some((id) => forgotten.has(hashOf({ provider, id })));
  };
}

interface Stat {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly modified_ms: number;
}

function statKey({ device, inode, size, modified_ms: modified }: Stat): string {
  return [device, inode, size, modified].join(" ");
}

const UUID_AT_END = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of sessions that the name of a transcript can stand for. */
function idsIn(path: string): readonly string[] {
  const stem = basename(path).replace(/\.jsonl(?:\.zst)?$/, "");
  return [stem, ...(UUID_AT_END.exec(stem) ?? [])];
}
