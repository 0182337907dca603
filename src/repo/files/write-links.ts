/** Resolves what the files of the index say of each other. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { createResolver } from "../imports/resolver.ts";
import type { SourceTree } from "../imports/types.ts";
import { indexedTree } from "./indexed-tree.ts";
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
  tree: SourceTree,
  files: readonly string[],
  haveLinks: boolean,
): void {
  const resolver = createResolver(tree);
  const ids = idsByPath(tx);
  for (const path of files) {
    const id = ids.get(path);
    if (id === undefined) continue;
    if (haveLinks) tx.run("DELETE FROM links WHERE from_id = ?", id);
    for (const { to, kind } of resolver.resolve(path)) {
      const target = ids.get(to);
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

function idsByPath(tx: Transaction): ReadonlyMap<string, number> {
  const sql = "SELECT id, path FROM files WHERE blob IS NOT NULL";
  return new Map(tx.all<{ id: number; path: string }>(sql).map(({ id, path }) => [path, id]));
}
