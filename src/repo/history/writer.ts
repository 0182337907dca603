/** Writes commits into the index, from the newest back or from the oldest on. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { coAuthors, commitWeight, isBot, isFix, subjectOf } from "./commit-facts.ts";
import type { FileChange, LogCommit } from "./log-parser.ts";

export interface HistoryWriterOptions {
  /** `back`: commits come from the newest to the oldest, into an empty index. */
  readonly direction: "back" | "forward";
  /** The id of the first commit that comes. */
  readonly firstId: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Where a shallow clone ends: these commits seem to add every file there is. */
  readonly boundary: ReadonlySet<string>;
}

/** Takes commits in the order of its direction. */
export interface HistoryWriter {
  add(commit: LogCommit): void;
  /** Ids of the files whose history has changed. */
  readonly affected: ReadonlySet<number>;
}

/** @param tx is written to with each commit; the sums of the files are not brought up to date. */
export function createHistoryWriter(
  tx: Transaction,
  { direction, firstId, now, boundary }: HistoryWriterOptions,
): HistoryWriter {
  const authors = createAuthors(tx);
  const files = direction === "back" ? filesSeenBack(tx) : filesSeenForward(tx);
  const affected = new Set<number>();
  const step = direction === "back" ? 1 : -1;
  let id = firstId;

  function addAuthors(commit: LogCommit): number {
    for (const email of coAuthors(commit.message)) {
      const author = authors(email, "");
      tx.run("INSERT OR IGNORE INTO co_authors (commit_id, author_id) VALUES (?, ?)", id, author);
    }
    return authors(commit.email, commit.name);
  }

  function addTouches(changes: readonly FileChange[]): void {
    const { touched, gone } = files.touch(changes, id);
    for (const file of touched) {
      affected.add(file);
      tx.run("INSERT OR IGNORE INTO touches (commit_id, file_id) VALUES (?, ?)", id, file);
    }
    for (const file of gone) affected.delete(file);
  }

  return {
    affected,
    add(commit) {
      const changes = boundary.has(commit.hash) ? [] : commit.changes;
      const subject = subjectOf(commit.message);
      tx.run(
        `INSERT INTO commits (id, hash, author_id, committed_at, subject, file_count, is_fix, weight)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        Buffer.from(commit.hash, "hex"),
        addAuthors(commit),
        commit.committedAt,
        subject,
        changes.length,
        isFix(subject) ? 1 : 0,
        commitWeight(commit.committedAt, now, changes.length),
      );
      tx.run("INSERT INTO words (rowid, message) VALUES (?, ?)", id, commit.message);
      addTouches(changes);
      id += step;
    },
  };
}

function createAuthors(tx: Transaction): (email: string, name: string) => number {
  const known = new Map<string, number>();
  return (email, name) => {
    const key = email.toLowerCase();
    const found = known.get(key) ?? storedAuthor(tx, key, isBot(name, email));
    known.set(key, found);
    return found;
  };
}

function storedAuthor(tx: Transaction, email: string, bot: boolean): number {
  tx.run("INSERT OR IGNORE INTO authors (email, is_bot) VALUES (?, ?)", email, bot ? 1 : 0);
  return tx.get<{ id: number }>("SELECT id FROM authors WHERE email = ?", email)?.id ?? 0;
}

interface Touched {
  /** Ids of the files that a commit touched. */
  readonly touched: ReadonlySet<number>;
  /** Of those that have become one with another. */
  readonly gone: readonly number[];
}

/** Names change all at once in a commit: two files may swap theirs. */
interface Files {
  touch(changes: readonly FileChange[], commit: number): Touched;
}

/**
 * Going back, a rename says that what is older under the old name is the file of the new one. Should
 * the new name come again, further back, another file had it before: both have become one.
 */
function filesSeenBack(tx: Transaction): Files {
  const ids = new Map<string, number>();
  const renamedInto = new Map<string, number>();
  let last = 0;

  function idOf(path: string): number {
    const known = ids.get(path);
    if (known !== undefined) return known;
    last += 1;
    tx.run("INSERT INTO files (id, path) VALUES (?, ?)", last, path);
    ids.set(path, last);
    return last;
  }

  function markMerge(path: string, file: number): void {
    const later = renamedInto.get(path);
    if (later === undefined) return;
    tx.run("UPDATE renames SET is_merge = 1 WHERE commit_id = ? AND file_id = ?", later, file);
    renamedInto.delete(path);
  }

  return {
    touch(changes, commit) {
      const files = changes.map(({ path }) => {
        const file = idOf(path);
        markMerge(path, file);
        return file;
      });
      for (const [index, { path, oldPath }] of changes.entries()) {
        const file = files[index];
        if (oldPath === undefined || file === undefined) continue;
        ids.set(oldPath, file);
        renamedInto.set(path, commit);
        addRename(tx, commit, file, oldPath, false);
      }
      return { touched: new Set(files), gone: [] };
    },
  };
}

/** Going forward, a rename gives the file a new name; a file that had that name becomes one with it. */
function filesSeenForward(tx: Transaction): Files {
  const find = (path: string) =>
    tx.get<{ id: number }>("SELECT id FROM files WHERE path = ?", path)?.id;
  const idOf = (path: string): number =>
    find(path) ??
    tx.get<{ id: number }>("INSERT INTO files (path) VALUES (?) RETURNING id", path)?.id ??
    0;

  /** The files that get another name, out of each other's way. */
  function takeRenamed(changes: readonly FileChange[]): Map<FileChange, number> {
    const renamed = new Map<FileChange, number>();
    for (const change of changes) {
      const file = change.oldPath === undefined ? undefined : find(change.oldPath);
      if (file !== undefined) renamed.set(change, file);
    }
    for (const file of renamed.values()) parkName(tx, file);
    return renamed;
  }

  return {
    touch(changes, commit) {
      const renamed = takeRenamed(changes);
      const gone: number[] = [];
      const touched = new Set<number>();
      for (const change of changes) {
        const file = renamed.get(change) ?? idOf(change.path);
        touched.add(file);
        if (change.oldPath === undefined || !renamed.has(change)) continue;
        const former = find(change.path);
        if (former !== undefined) {
          become(tx, former, file);
          gone.push(former);
        }
        tx.run("UPDATE files SET path = ? WHERE id = ?", change.path, file);
        addRename(tx, commit, file, change.oldPath, former !== undefined);
      }
      for (const file of gone) touched.delete(file);
      return { touched, gone };
    },
  };
}

/** Gives a file a name that no path has, until it gets its next one. */
export function parkName(tx: Transaction, file: number): void {
  tx.run("UPDATE files SET path = char(0) || id WHERE id = ?", file);
}

function addRename(
  tx: Transaction,
  commit: number,
  file: number,
  oldPath: string,
  isMerge: boolean,
): void {
  tx.run(
    "INSERT OR REPLACE INTO renames (commit_id, file_id, old_path, is_merge) VALUES (?, ?, ?, ?)",
    commit,
    file,
    oldPath,
    isMerge ? 1 : 0,
  );
}

/** Gives the history of one file to another. */
function become(tx: Transaction, former: number, file: number): void {
  for (const table of ["touches", "renames"]) {
    tx.run(`UPDATE OR IGNORE ${table} SET file_id = ? WHERE file_id = ?`, file, former);
    tx.run(`DELETE FROM ${table} WHERE file_id = ?`, former);
  }
  tx.run("DELETE FROM links WHERE from_id = ? OR to_id = ?", former, former);
  tx.run("DELETE FROM files WHERE id = ?", former);
}
