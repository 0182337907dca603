/** What a session as a whole is found by: its title, what was asked, where, and which files. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { identifierParts } from "../ingest/identifier-parts.ts";

/** More paths than this say nothing about what a session was for. */
const MOST_FILES = 300;

interface Whole {
  readonly title: string;
  readonly first_user_message: string;
  readonly cwd: string;
  readonly git_branch: string;
}

export function writeSessionWords(tx: Transaction, session: number): void {
  const whole = tx.get<Whole>(
    "SELECT title, first_user_message, cwd, git_branch FROM sessions WHERE key = ?",
    session,
  );
  if (whole === undefined) return;
  const files = tx
    .all<{ path: string }>(
      `SELECT DISTINCT path FROM touches WHERE session = ? LIMIT ${MOST_FILES}`,
      session,
    )
    .map(({ path }) => path)
    .join("\n");
  tx.run("DELETE FROM session_words WHERE rowid = ?", session);
  tx.run(
    "INSERT INTO session_words (rowid, title, asked, place, files) VALUES (?, ?, ?, ?, ?)",
    session,
    `${whole.title} ${identifierParts(whole.title)}`,
    `${whole.first_user_message} ${identifierParts(whole.first_user_message)}`,
    `${whole.cwd} ${whole.git_branch}`,
    `${files} ${identifierParts(files)}`,
  );
}
