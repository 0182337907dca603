/** Writes commits into the index, from the newest back or from the oldest on. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { coAuthors, commitWeight, isBot, isFix, subjectOf } from "./commit-facts.ts";
import type { LogCommit } from "./log-parser.ts";
import type { TouchedFiles } from "./touched-files.ts";

export interface HistoryWriterOptions {
  /** Which files the commits touch; made for the order in which these come. */
  readonly files: TouchedFiles;
  /** The id of the first commit that comes. */
  readonly firstId: number;
  /** From one id to the next: 1 for commits from the newest to the oldest, or -1. */
  readonly step: 1 | -1;
  /** Seconds since 1970. */
  readonly now: number;
  /** Where a shallow clone ends: these commits seem to add every file there is. */
  readonly boundary: ReadonlySet<string>;
}

/** @returns what takes the commits, one after the other. */
export function createHistoryWriter(
  tx: Transaction,
  { files, firstId, step, now, boundary }: HistoryWriterOptions,
): (commit: LogCommit) => void {
  const authorOf = createAuthors(tx);
  let id = firstId;

  function addCoAuthors(message: string): readonly Author[] {
    return coAuthors(message).map((email) => {
      const author = authorOf(email, "");
      const sql = "INSERT OR IGNORE INTO co_authors (commit_id, author_id) VALUES (?, ?)";
      tx.run(sql, id, author.id);
      return author;
    });
  }

  return (commit) => {
    const { committedAt, message } = commit;
    const changes = boundary.has(commit.hash) ? [] : commit.changes;
    const subject = subjectOf(message);
    const weight = commitWeight(committedAt, now, changes.length);
    const others = addCoAuthors(message);
    const author = authorOf(commit.email, commit.name);
    const fixes = isFix(subject);
    tx.run(
      `INSERT INTO commits (id, hash, author_id, committed_at, subject, file_count, is_fix, weight)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      Buffer.from(commit.hash, "hex"),
      author.id,
      committedAt,
      subject,
      changes.length,
      fixes ? 1 : 0,
      weight,
    );
    tx.run("INSERT INTO words (rowid, message) VALUES (?, ?)", id, message);
    const authors = [author, ...others].flatMap((one) => (one.isBot ? [] : [one.id]));
    for (const file of files.touch({ id, changes, committedAt, weight, isFix: fixes, authors })) {
      tx.run("INSERT OR IGNORE INTO touches (commit_id, file_id) VALUES (?, ?)", id, file);
    }
    id += step;
  };
}

interface Author {
  readonly id: number;
  /** Whether it is a program. */
  readonly isBot: boolean;
}

function createAuthors(tx: Transaction): (email: string, name: string) => Author {
  const known = new Map<string, Author>();
  return (email, name) => {
    const key = email.toLowerCase();
    const found = known.get(key) ?? storedAuthor(tx, key, isBot(name, email));
    known.set(key, found);
    return found;
  };
}

function storedAuthor(tx: Transaction, email: string, bot: boolean): Author {
  tx.run("INSERT OR IGNORE INTO authors (email, is_bot) VALUES (?, ?)", email, bot ? 1 : 0);
  const sql = "SELECT id, is_bot FROM authors WHERE email = ?";
  const row = tx.get<{ id: number; is_bot: number }>(sql, email);
  return { id: row?.id ?? 0, isBot: row?.is_bot === 1 };
}
