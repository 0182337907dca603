/** Takes back what is stored of a session; what its forks hold copies of becomes theirs. */
import type { Transaction } from "../../platform/sqlite/database.ts";

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

/** Everything but the session's row and its sources. */
export function forgetContent(tx: Transaction, session: number): void {
  tx.run("DELETE FROM message_copies WHERE session = ?", session);
  const held = tx.all<{ key: number; heir: number; line_no: number }>(
    `SELECT messages.key, min(copy.session) AS heir, copy.line_no
     FROM messages JOIN message_copies AS copy ON copy.message = messages.key
     WHERE messages.session = ? GROUP BY messages.key`,
    session,
  );
  for (const { key, heir, line_no } of held) {
    tx.run("DELETE FROM message_copies WHERE session = ? AND line_no = ?", heir, line_no);
    tx.run("UPDATE messages SET session = ?, line_no = ? WHERE key = ?", heir, line_no, key);
  }
  tx.run(
    "DELETE FROM message_words WHERE rowid IN (SELECT key FROM messages WHERE session = ?)",
    session,
  );
  for (const table of CONTENT) tx.run(`DELETE FROM ${table} WHERE session = ?`, session);
}

/** All of a session. */
export function forgetSession(tx: Transaction, session: number): void {
  forgetContent(tx, session);
  tx.run("DELETE FROM session_words WHERE rowid = ?", session);
  tx.run("DELETE FROM sessions WHERE key = ?", session);
}

/**
 * Sessions that are nothing but the Go program's reading of a transcript: under whatever id and
 * computer it took that for, the transcript's own reading has it all.
 */
export function forgetCopiesOf(
  tx: Transaction,
  { provider, path }: { readonly provider: string; readonly path: string },
): void {
  const copies = tx.all<{ key: number }>(
    `SELECT key FROM copied_sessions JOIN sessions ON key = session
     WHERE rollout_path = ? AND provider = ?`,
    path,
    provider,
  );
  for (const { key } of copies) forgetSession(tx, key);
}
