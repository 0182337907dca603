/** Takes back what is stored of a session; what its forks hold copies of becomes theirs. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { FACT_TABLES } from "./write-batch.ts";
import { writeSessionWords } from "./write-session-words.ts";

const CONTENT = [
  "messages",
  "touches",
  "commands",
  "failures",
  "usage",
  "unknown_records",
  "copied_sessions",
  "copied_tools",
];

/** Messages of a session of which others hold copies, each with the place of the one that began first. */
const HELD = `SELECT messages.key, messages.line_no, copy.session AS heir, copy.line_no AS heir_line,
    min(nullif(heirs.created_at, ''))
  FROM messages JOIN message_copies AS copy ON copy.message = messages.key
    JOIN sessions AS heirs ON heirs.key = copy.session
  WHERE messages.session = ?1 GROUP BY messages.key`;

/** Everything but the session's row and its sources. */
export function forgetContent(tx: Transaction, session: number): void {
  tx.run("DELETE FROM message_copies WHERE session = ?", session);
  leaveToHeirs(tx, session);
  tx.run(
    "DELETE FROM message_words WHERE rowid IN (SELECT key FROM messages WHERE session = ?)",
    session,
  );
  for (const table of CONTENT) tx.run(`DELETE FROM ${table} WHERE session = ?`, session);
}

function leaveToHeirs(tx: Transaction, session: number): void {
  const held = tx.all<{ key: number; heir: number; heir_line: number }>(HELD, session);
  if (held.length === 0) return;
  for (const table of FACT_TABLES) {
    tx.run(
      `WITH held AS MATERIALIZED (${HELD})
       UPDATE OR IGNORE ${table} SET session = heir, line_no = heir_line
       FROM held WHERE ${table}.session = ?1 AND ${table}.line_no = held.line_no`,
      session,
    );
  }
  for (const { key, heir, heir_line: line } of held) {
    tx.run("DELETE FROM message_copies WHERE session = ? AND line_no = ?", heir, line);
    tx.run("UPDATE messages SET session = ?, line_no = ? WHERE key = ?", heir, line, key);
  }
  for (const heir of new Set(held.map((one) => one.heir))) writeSessionWords(tx, heir);
}

/** All of a session. */
export function forgetSession(tx: Transaction, session: number): void {
  forgetContent(tx, session);
  tx.run("DELETE FROM session_words WHERE rowid = ?", session);
  tx.run("DELETE FROM sessions WHERE key = ?", session);
}

/** Names the condition of the index: without it every session is looked at for every transcript. */
export const COPIES_OF = `SELECT key FROM copied_sessions JOIN sessions ON key = session
  WHERE rollout_path <> '' AND rollout_path = ? AND provider = ?`;

/**
 * Sessions that are nothing but the Go program's reading of a transcript: under whatever id and
 * computer it took that for, the transcript's own reading has it all.
 */
export function forgetCopiesOf(
  tx: Transaction,
  { provider, path }: { readonly provider: string; readonly path: string },
): void {
  const copies = tx.all<{ key: number }>(COPIES_OF, path, provider);
  for (const { key } of copies) forgetSession(tx, key);
}
