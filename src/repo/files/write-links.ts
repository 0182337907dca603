/** Resolves what every file of the index says of others. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { createResolver } from "../imports/resolver.ts";
import { indexedTree } from "./indexed-tree.ts";

export function writeLinks(tx: Transaction): void {
  tx.run("DELETE FROM links");
  const tree = indexedTree(tx);
  const resolver = createResolver(tree);
  for (const [path, id] of tree.ids) {
    for (const { to, kind } of resolver.resolve(path)) {
      const target = tree.ids.get(to);
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
