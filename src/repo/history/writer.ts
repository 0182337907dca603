/** Writes commits into the index, from the newest back or from the oldest on. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { type CoAuthorOptions, createAuthors, createCoAuthors } from "./authors.ts";
import { commitWeight, isFix, subjectOf } from "./commit-facts.ts";
import type { LogCommit } from "./log-parser.ts";
import type { TouchedFiles } from "./touched-files.ts";

export interface HistoryWriterOptions extends Pick<CoAuthorOptions, "mapped"> {
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

export interface HistoryWriter {
  /** Takes the commits, one after the other. */
  write(commit: LogCommit): void;
  /** Writes who else is named in the messages, once there are no more commits. */
  finish(): Promise<void>;
}

export function createHistoryWriter(
  tx: Transaction,
  { files, firstId, step, now, boundary, mapped }: HistoryWriterOptions,
): HistoryWriter {
  const authorOf = createAuthors(tx);
  const others = createCoAuthors(tx, { authorOf, mapped, credit: files.credit });
  let id = firstId;

  function write(commit: LogCommit): void {
    const { committedAt, message } = commit;
    const changes = boundary.has(commit.hash) ? [] : commit.changes;
    const subject = subjectOf(message);
    const weight = commitWeight(committedAt, now, changes.length);
    const author = authorOf(commit.name, commit.email);
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
    const person = author.isBot ? {} : { author: author.id };
    const touched = files.touch({ id, changes, committedAt, weight, isFix: fixes, ...person });
    for (const file of touched) {
      tx.run("INSERT OR IGNORE INTO touches (commit_id, file_id) VALUES (?, ?)", id, file);
    }
    others.note(id, touched, message);
    id += step;
  }

  return { write, finish: others.finish };
}
