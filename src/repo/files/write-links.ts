/** Resolves what the files of the index say of each other. */

import { memoise } from "../../lib/memoise.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { createResolver } from "../imports/resolver.ts";
import { type IndexedTree, indexedTree } from "./indexed-tree.ts";
import { type LinkChange, staleAfter } from "./stale-links.ts";

/** @param changes of what files say, and which there are; without them everything is resolved. */
export function writeLinks(tx: Transaction, changes?: readonly LinkChange[]): void {
  const tree = indexedTree(tx);
  const isStale = changes === undefined ? undefined : staleAfter(tx, tree.paths, changes);
  const stale = isStale === undefined ? [...tree.paths] : [...tree.paths].filter(isStale);
  if (isStale === undefined) tx.run("DELETE FROM links");
  if (stale.length > 0) writeLinksOf(tx, tree, stale, isStale !== undefined);
  for (const end of ["from_id", "to_id"]) {
    tx.run(`DELETE FROM links WHERE ${end} IN (SELECT id FROM files WHERE blob IS NULL)`);
  }
}

function writeLinksOf(
  tx: Transaction,
  tree: IndexedTree,
  files: readonly string[],
  haveLinks: boolean,
): void {
  const resolver = createResolver(tree);
  // A row for each file takes its time, which a few files are not worth.
  const idOf = haveLinks ? memoise(tree.id) : allIds(tx);
  for (const path of files) {
    const id = idOf(path);
    if (id === undefined) continue;
    if (haveLinks) tx.run("DELETE FROM links WHERE from_id = ?", id);
    for (const { to, kind } of resolver.resolve(path)) {
      const target = idOf(to);
      if (target === undefined || target === id) continue;
      tx.run(
        "INSERT OR IGNORE INTO links (from_id, to_id, kind) VALUES (?, ?, ?)",
        id,
        target,
        kind,
      );
    }
  }
}

function allIds(tx: Transaction): (path: string) => number | undefined {
  const sql = "SELECT id, path FROM files WHERE blob IS NOT NULL";
  const ids = new Map(tx.all<{ id: number; path: string }>(sql).map(({ id, path }) => [path, id]));
  return (path) => ids.get(path);
}
