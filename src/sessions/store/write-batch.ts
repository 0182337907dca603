/** Writes what was read of a transcript, in the transaction that also says how far it was read. */

import type { Transaction } from "../../platform/sqlite/database.ts";
import type { ReadyBatch, ReadyMessage } from "../ingest/batch.ts";
import type { CallResult, SessionHeader } from "../transcripts/types.ts";

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

/** The key of a session that is on record. */
export function sessionKey(
  tx: Transaction,
  machine: string,
  { provider, id }: SessionHeader,
): number | undefined {
  return tx.get<{ key: number }>(
    "SELECT key FROM sessions WHERE machine = ? AND provider = ? AND id = ?",
    machine,
    provider,
    id,
  )?.key;
}

/**
 * Writes the row of a session, new or known; where it was is looked at again once that is another place, or
 * was of no repository.
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
       ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")},
       repository = iif((cwd, git_origin_url) = (excluded.cwd, excluded.git_origin_url),
         nullif(repository, ''), NULL)
     RETURNING key`,
    machine,
    header.provider,
    indexedAt,
    ...values(header),
  );
  if (row === undefined) throw new Error("a session that was written has no key");
  return row.key;
}

/** Tables of what came of messages, which stands at their places. */
export const FACT_TABLES = ["touches", "commands", "failures"] as const;

/** By session, the places of messages that turned out to be copies: of another's, or of one further up. */
export type Copied = Map<number, Set<number>>;

/** Adds what a batch holds to a session. */
export function writeBatch(tx: Transaction, session: number, batch: ReadyBatch): void {
  const copied: Copied = new Map();
  writeMessages(tx, session, batch, copied);
  writeFacts(tx, session, batch, copied);
}

/**
 * Adds the messages of a batch. Of several batches these must be written before any facts: a message that
 * is one session's may become another's; and FTS5 writes down the words that it gathers whenever some other
 * statement may have to be taken back.
 * @param copied is added to.
 */
export function writeMessages(
  tx: Transaction,
  session: number,
  { messages }: ReadyBatch,
  copied: Copied,
): void {
  const createdAt = createdAtOf(tx, session);
  const owner = { session, createdAt, nextKey: keysFrom(tx), copied };
  for (const message of messages) writeMessage(tx, owner, message);
}

/** Adds what else a batch holds, unless it came of a message that is a copy. */
export function writeFacts(
  tx: Transaction,
  session: number,
  batch: ReadyBatch,
  copied: Copied,
): void {
  const places = copied.get(session);
  const own = <T extends { readonly lineNo: number }>(items: readonly T[]): readonly T[] =>
    places === undefined ? items : items.filter(({ lineNo }) => !places.has(lineNo));
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
  const results = own(batch.results);
  const ended = new Map(results.map((result) => [result.callId, result]));
  // It names no call.
  ended.delete("");
  for (const { lineNo, callId, timestamp, command } of own(batch.commands)) {
    const result = ended.get(callId);
    tx.run(
      `INSERT OR IGNORE INTO commands (session, line_no, call_id, timestamp, command, ended_at, exit_code)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      session,
      lineNo,
      callId,
      timestamp,
      command,
      result?.timestamp ?? "",
      result?.exitCode ?? null,
    );
  }
  const here = new Set(batch.commands.map(({ callId }) => callId));
  writeResults(tx, session, results, here);
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

/** @param written calls whose commands were written with their results. */
function writeResults(
  tx: Transaction,
  session: number,
  ended: readonly CallResult[],
  written: ReadonlySet<string>,
): void {
  for (const { lineNo, callId, timestamp, exitCode, failed, excerpt } of ended) {
    if (callId !== "" && !written.has(callId)) {
      // Left to itself SQLite goes through all commands of the session, for every result.
      tx.run(
        `UPDATE commands INDEXED BY commands_call SET ended_at = ?, exit_code = ?
         WHERE session = ? AND call_id = ?`,
        timestamp,
        exitCode ?? null,
        session,
        callId,
      );
    }
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
  readonly copied: Copied;
}

/** Keys are given out here: a statement that returned them would have FTS5 write down its words each time. */
function keysFrom(tx: Transaction): { value: number } {
  const last = tx.get<{ key: number | null }>("SELECT max(key) AS key FROM messages")?.key;
  return { value: (last ?? 0) + 1 };
}

function writeMessage(tx: Transaction, owner: Owner, message: ReadyMessage): void {
  const { session, nextKey } = owner;
  const { lineNo, timestamp, role, kind, text, uid, parts } = message;
  const { changes } = tx.run(
    `INSERT INTO messages (key, session, line_no, timestamp, role, kind, text, uid)
     VALUES (?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?) ON CONFLICT DO NOTHING`,
    nextKey.value,
    session,
    lineNo,
    timestamp,
    role,
    kind,
    text,
    uid || null,
  );
  if (changes === 0) {
    writeCopy(tx, owner, message);
    return;
  }
  tx.run(
    "INSERT INTO message_words (rowid, text, parts) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))",
    nextKey.value,
    text,
    parts,
  );
  nextKey.value += 1;
}

interface Original {
  readonly key: number;
  readonly session: number;
  readonly line_no: number;
  readonly created_at: string;
}

/** The session that began first has the message and what came of it, the others have copies. */
function writeCopy(
  tx: Transaction,
  { session, createdAt, copied }: Owner,
  { lineNo, uid }: ReadyMessage,
): void {
  const original = tx.get<Original>(
    `SELECT messages.key, session, line_no, created_at
     FROM messages JOIN sessions ON sessions.key = messages.session WHERE uid = ?`,
    uid,
  );
  if (original === undefined) return;
  const note = (holder: number, line: number): void => {
    copied.set(holder, (copied.get(holder) ?? new Set()).add(line));
  };
  if (original.session === session) {
    note(session, lineNo);
    return;
  }
  const isEarlier = createdAt !== "" && createdAt < original.created_at;
  const copy = isEarlier ? original : { session, line_no: lineNo };
  if (isEarlier) {
    tx.run(
      "UPDATE messages SET session = ?, line_no = ? WHERE key = ?",
      session,
      lineNo,
      original.key,
    );
    for (const table of FACT_TABLES) {
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
  note(copy.session, copy.line_no);
}
