/** Writes what was read of a transcript, in the transaction that also says how far it was read. */

import { quickHash } from "../../platform/hash.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import type { Batch } from "../ingest/batch.ts";
import { identifierParts } from "../ingest/identifier-parts.ts";
import type { CallResult, SessionHeader, TranscriptMessage } from "../transcripts/types.ts";

/** Columns of `sessions` that a header fills. */
const COLUMNS = [
  "id",
  "parent_id",
  "forked_from",
  "title",
  "first_user_message",
  "last_agent_message",
  "cwd",
  "source",
  "model_provider",
  "model",
  "cli_version",
  "git_branch",
  "git_origin_url",
  "created_at",
  "updated_at",
  "tokens_used",
  "status",
  "event_counts",
] as const;

function values(header: SessionHeader) {
  return [
    header.id,
    header.parentId,
    header.forkedFrom,
    header.title,
    header.firstUserMessage,
    header.lastAgentMessage,
    header.cwd,
    header.source,
    header.modelProvider,
    header.model,
    header.cliVersion,
    header.gitBranch,
    header.gitOriginUrl,
    header.createdAt,
    header.updatedAt,
    header.tokensUsed,
    header.status,
    JSON.stringify(header.eventCounts),
  ] as const;
}

/**
 * Writes the row of a session, new or known.
 * @returns its key.
 */
export function writeSession(
  tx: Transaction,
  machine: string,
  header: SessionHeader,
  indexedAt: string,
): number {
  const names = ["machine", "provider", "indexed_at", ...COLUMNS];
  const row = tx.get<{ key: number }>(
    `INSERT INTO sessions (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (machine, provider, id) DO UPDATE SET indexed_at = excluded.indexed_at,
       ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}
     RETURNING key`,
    machine,
    header.provider,
    indexedAt,
    ...values(header),
  );
  if (row === undefined) throw new Error("a session that was written has no key");
  return row.key;
}

/** Adds what a batch holds to a session. */
export function writeBatch(tx: Transaction, session: number, batch: Batch): void {
  const createdAt = createdAtOf(tx, session);
  const copied = new Set<number>();
  const nextKey = keysFrom(tx);
  for (const message of batch.messages) {
    if (!writeMessage(tx, { session, createdAt, nextKey }, message)) copied.add(message.lineNo);
  }
  const own = <T extends { readonly lineNo: number }>(items: readonly T[]): readonly T[] =>
    copied.size === 0 ? items : items.filter(({ lineNo }) => !copied.has(lineNo));
  for (const { path, lineNo, timestamp, kind } of own(batch.touches)) {
    tx.run(
      "INSERT OR IGNORE INTO touches (session, path, line_no, timestamp, kind) VALUES (?, ?, ?, ?, ?)",
      session,
      path,
      lineNo,
      timestamp,
      kind,
    );
  }
  for (const { lineNo, callId, timestamp, command } of own(batch.commands)) {
    tx.run(
      "INSERT OR IGNORE INTO commands (session, line_no, call_id, timestamp, command) VALUES (?, ?, ?, ?, ?)",
      session,
      lineNo,
      callId,
      timestamp,
      command,
    );
  }
  writeResults(tx, session, own(batch.results));
  for (const { uid, tokens } of batch.usage) {
    tx.run(
      "INSERT OR IGNORE INTO usage (uid, session, tokens) VALUES (?, ?, ?)",
      uid,
      session,
      tokens,
    );
  }
  for (const { line, type, text } of batch.unknown) {
    tx.run(
      "INSERT OR IGNORE INTO unknown_records (session, line, type, text) VALUES (?, ?, ?, ?)",
      session,
      line,
      type,
      text,
    );
  }
}

function writeResults(tx: Transaction, session: number, ended: readonly CallResult[]): void {
  for (const { lineNo, callId, timestamp, exitCode, failed, excerpt } of ended) {
    tx.run(
      "UPDATE commands SET ended_at = ?, exit_code = ? WHERE session = ? AND call_id = ?",
      timestamp,
      exitCode ?? null,
      session,
      callId,
    );
    if (!failed) continue;
    tx.run(
      "INSERT OR IGNORE INTO failures (session, line_no, excerpt) VALUES (?, ?, ?)",
      session,
      lineNo,
      excerpt,
    );
  }
}

function createdAtOf(tx: Transaction, session: number): string {
  return (
    tx.get<{ created_at: string }>("SELECT created_at FROM sessions WHERE key = ?", session)
      ?.created_at ?? ""
  );
}

interface Owner {
  readonly session: number;
  readonly createdAt: string;
  /** The key for the next message that is added. */
  readonly nextKey: { value: number };
}

/**
 * Keys are given out here: a statement that returns what it added makes FTS5 write down all words that
 * it still gathers, for every message anew.
 */
function keysFrom(tx: Transaction): { value: number } {
  const last = tx.get<{ key: number | null }>("SELECT max(key) AS key FROM messages")?.key;
  return { value: (last ?? 0) + 1 };
}

/** @returns whether the message is the session's own, and no copy of another's. */
function writeMessage(
  tx: Transaction,
  { session, createdAt, nextKey }: Owner,
  { lineNo, timestamp, role, kind, text, uid }: TranscriptMessage,
): boolean {
  if (text.trim() === "") return true;
  const hashed = uid === "" ? null : quickHash(uid);
  const { changes } = tx.run(
    `INSERT INTO messages (key, session, line_no, timestamp, role, kind, text, uid)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    nextKey.value,
    session,
    lineNo,
    timestamp,
    role,
    kind,
    text,
    hashed,
  );
  if (changes === 0) return writeCopy(tx, session, createdAt, lineNo, hashed ?? "");
  tx.run(
    "INSERT INTO message_words (rowid, text, parts) VALUES (?, ?, ?)",
    nextKey.value,
    text,
    identifierParts(text),
  );
  nextKey.value += 1;
  return true;
}

interface Original {
  readonly key: number;
  readonly session: number;
  readonly line_no: number;
  readonly created_at: string;
}

/**
 * The session that began first has the message and what came of it, the others have copies.
 * @returns whether that is this session.
 */
function writeCopy(
  tx: Transaction,
  session: number,
  createdAt: string,
  lineNo: number,
  uid: string,
): boolean {
  const original = tx.get<Original>(
    `SELECT messages.key, session, line_no, created_at
     FROM messages JOIN sessions ON sessions.key = messages.session WHERE uid = ?`,
    uid,
  );
  if (original === undefined || original.session === session) return true;
  const isEarlier = createdAt !== "" && createdAt < original.created_at;
  const copy = isEarlier ? original : { session, line_no: lineNo };
  if (isEarlier) {
    tx.run(
      "UPDATE messages SET session = ?, line_no = ? WHERE key = ?",
      session,
      lineNo,
      original.key,
    );
    for (const table of ["touches", "commands", "failures"]) {
      tx.run(
        `DELETE FROM ${table} WHERE session = ? AND line_no = ?`,
        original.session,
        original.line_no,
      );
    }
  }
  tx.run(
    "INSERT OR IGNORE INTO message_copies (session, line_no, message) VALUES (?, ?, ?)",
    copy.session,
    copy.line_no,
    original.key,
  );
  return isEarlier;
}
