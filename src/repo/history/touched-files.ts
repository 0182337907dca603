/** Which file a path is, through all of its names. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { type CommitShare, createTally, type FileSums, sumFiles } from "./file-stats.ts";
import type { FileChange } from "./log-parser.ts";

/** A commit as far as its files are concerned. */
export interface TouchingCommit extends CommitShare {
  readonly id: number;
  readonly changes: readonly FileChange[];
}

/** Names change all at once in a commit: two files may swap theirs. */
export interface TouchedFiles {
  /** @returns ids of the files that a commit touched. */
  touch(commit: TouchingCommit): ReadonlySet<number>;
  /** Tells of somebody else, no program, who wrote a commit that touched the files. */
  credit(files: ReadonlySet<number>, author: number): void;
  /** Brings up to date what the touches of the files add up to, once there are no more commits. */
  finish(): void;
}

/**
 * Going back, a rename says that what is older under the old name is the file of the new one. Should
 * the new name come again, further back, another file had it before: both have become one.
 */
export function filesSeenBack(tx: Transaction): TouchedFiles {
  const ids = new Map<string, number>();
  const paths: string[] = [];
  const renamedInto = new Map<string, number>();
  const tally = createTally();

  function idOf(path: string): number {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const id = paths.push(path);
    ids.set(path, id);
    return id;
  }

  function markMerge(path: string, file: number): void {
    const later = renamedInto.get(path);
    if (later === undefined) return;
    tx.run("UPDATE renames SET is_merge = 1 WHERE commit_id = ? AND file_id = ?", later, file);
    renamedInto.delete(path);
  }

  return {
    touch(commit) {
      const { id, changes } = commit;
      const files = changes.map(({ path }) => {
        const file = idOf(path);
        markMerge(path, file);
        return file;
      });
      for (const [index, { path, oldPath }] of changes.entries()) {
        const file = files[index];
        if (oldPath === undefined || file === undefined) continue;
        ids.set(oldPath, file);
        renamedInto.set(path, id);
        addRename(tx, id, file, oldPath, false);
      }
      const touched = new Set(files);
      for (const file of touched) tally.add(file, commit);
      return touched;
    },
    credit(touched, author) {
      for (const file of touched) tally.addAuthor(file, author);
    },
    finish() {
      for (const [index, path] of paths.entries()) {
        insertFile(tx, index + 1, path, tally.of(index + 1));
      }
    },
  };
}

function insertFile(tx: Transaction, id: number, path: string, sums: FileSums): void {
  tx.run(
    `INSERT INTO files (id, path, churn, author_count, last_touched_at, heat, fix_heat)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    path,
    sums.churn,
    sums.authorCount,
    sums.lastTouchedAt,
    sums.heat,
    sums.fixHeat,
  );
}

/**
 * Going forward, a rename gives the file a new name; a file that had that name becomes one with it.
 * @param changed files of which commits were removed: their sums are brought up to date as well.
 */
export function filesSeenForward(tx: Transaction, changed: ReadonlySet<number>): TouchedFiles {
  const affected = new Set(changed);
  const find = (path: string) =>
    tx.get<{ id: number }>("SELECT id FROM files WHERE path = ?", path)?.id;
  const create = (path: string): number =>
    tx.get<{ id: number }>("INSERT INTO files (path) VALUES (?) RETURNING id", path)?.id ?? 0;

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
    touch({ id, changes }) {
      const renamed = takeRenamed(changes);
      const touched = new Set<number>();
      for (const change of changes) {
        const former = find(change.path);
        const file = renamed.get(change) ?? former ?? create(change.path);
        touched.add(file);
        affected.add(file);
        if (change.oldPath === undefined) continue;
        if (former !== undefined && former !== file) become(tx, former, file);
        tx.run("UPDATE files SET path = ? WHERE id = ?", change.path, file);
        addRename(tx, id, file, change.oldPath, former !== undefined);
      }
      return touched;
    },
    credit: () => {}, // they are read again with all that the files come to
    finish: () => sumFiles(tx, affected),
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
