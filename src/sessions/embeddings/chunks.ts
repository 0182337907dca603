/** Which pieces of sessions there are to embed, brought up to date with what was said. */
import { sha256 } from "../../platform/hash.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import { type ChunkKind, type ChunkPlace, sessionChunks } from "./session-text.ts";

/** Raised with every change of how sessions are cut, so that all of them are cut anew. */
const CUTTING = 1;

/** Differs whenever a session has other content; costs no look at its texts. */
const STATE = `${CUTTING} || ':' || sessions.indexed_at || ':' ||
  (SELECT count(*) || ':' || coalesce(sum(key), 0) FROM messages WHERE session = sessions.key)`;

interface StoredChunk extends ChunkPlace {
  readonly seq: number;
  readonly text_hash: string;
}

/**
 * Cuts sessions whose content has changed since they were cut. A piece whose text is still there keeps
 * its row, and so its vectors; those of text that is gone go with it.
 * @param only key of one session; all without.
 */
export async function refreshChunks(
  database: Database,
  signal: AbortSignal,
  only?: number,
): Promise<void> {
  const stale = database.all<{ key: number; state: string }>(
    `SELECT sessions.key, ${STATE} AS state
     FROM sessions LEFT JOIN cut_sessions ON cut_sessions.session = sessions.key
     WHERE (? IS NULL OR sessions.key = ?) AND cut_sessions.state IS NOT ${STATE}
     ORDER BY sessions.key`,
    only ?? null,
    only ?? null,
  );
  for (const { key, state } of stale) {
    signal.throwIfAborted();
    const chunks = cutSession(database, key);
    await database.write((tx) => {
      // What was written meanwhile is for whoever wrote it.
      if (stateOf(tx, key) === state) writeChunks(tx, key, chunks, state);
    });
  }
}

/** Whether there are sessions that were never cut; costs no look at what they hold. */
export function hasUncutSessions(reader: Reader): boolean {
  const sql = "SELECT 1 FROM sessions WHERE key NOT IN (SELECT session FROM cut_sessions) LIMIT 1";
  return reader.get(sql) !== undefined;
}

/** Has the next look cut a session anew. */
export async function distrustChunks(database: Database, session: number): Promise<void> {
  await database.write((tx) => tx.run("DELETE FROM cut_sessions WHERE session = ?", session));
}

function stateOf(reader: Reader, session: number): string | undefined {
  const sql = `SELECT ${STATE} AS state FROM sessions WHERE sessions.key = ?`;
  return reader.get<{ state: string }>(sql, session)?.state;
}

function cutSession(reader: Reader, session: number): readonly StoredChunk[] {
  const chunks: StoredChunk[] = [];
  for (const { text, ...place } of sessionChunks(reader, session)) {
    chunks.push({ ...place, seq: chunks.length, text_hash: sha256(text) });
  }
  return chunks;
}

function writeChunks(
  tx: Transaction,
  session: number,
  chunks: readonly StoredChunk[],
  state: string,
): void {
  const known = new Map<string, number[]>();
  const rows = tx.all<{ key: number; text_hash: string }>(
    "SELECT key, text_hash FROM chunks WHERE session = ? ORDER BY seq DESC",
    session,
  );
  for (const { key, text_hash: hash } of rows) {
    known.set(hash, [...(known.get(hash) ?? []), key]);
  }
  for (const chunk of chunks) writeChunk(tx, session, chunk, known.get(chunk.text_hash)?.pop());
  for (const key of [...known.values()].flat()) tx.run("DELETE FROM chunks WHERE key = ?", key);
  tx.run("INSERT OR REPLACE INTO cut_sessions (session, state) VALUES (?, ?)", session, state);
}

function writeChunk(
  tx: Transaction,
  session: number,
  { seq, kind, line, offset, bytes, text_hash: hash }: StoredChunk,
  known: number | undefined,
): void {
  const place: readonly [number, ChunkKind, number, number, number] = [
    seq,
    kind,
    line,
    offset,
    bytes,
  ];
  if (known === undefined) {
    tx.run(
      `INSERT INTO chunks (session, seq, kind, line_no, start, bytes, text_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      session,
      ...place,
      hash,
    );
  } else {
    tx.run(
      `UPDATE chunks SET seq = ?, kind = ?, line_no = ?, start = ?, bytes = ?
       WHERE key = ? AND (seq, kind, line_no, start, bytes) IS NOT (?, ?, ?, ?, ?)`,
      ...place,
      known,
      ...place,
    );
  }
}
