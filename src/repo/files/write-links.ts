/** Resolves what the files of the index say of each other. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { isManifest, languageOf } from "../imports/language.ts";
import { createResolver } from "../imports/resolver.ts";
import type { Language } from "../imports/types.ts";
import { indexedTree } from "./indexed-tree.ts";
import type { TreeChange } from "./tree.ts";

/** Java and Kotlin see each other; files of no language can be imported by scripts of the web. */
const FAMILY: Readonly<Record<string, Language>> = { kotlin: "java" };

/** @param changes of what files say, and which there are; without them everything is resolved. */
export function writeLinks(tx: Transaction, changes?: readonly TreeChange[]): void {
  const tree = indexedTree(tx);
  const resolver = createResolver(tree);
  const isStale = changes === undefined ? undefined : staleAfter(changes);
  if (isStale === undefined) tx.run("DELETE FROM links");
  const ids = idsByPath(tx);
  for (const [path, id] of ids) {
    if (isStale?.(path) === false) continue;
    if (isStale !== undefined) tx.run("DELETE FROM links WHERE from_id = ?", id);
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
  tx.run(
    "DELETE FROM links WHERE EXISTS (SELECT 1 FROM files WHERE id IN (from_id, to_id) AND blob IS NULL)",
  );
}

function idsByPath(tx: Transaction): ReadonlyMap<string, number> {
  const sql = "SELECT id, path FROM files WHERE blob IS NOT NULL";
  return new Map(tx.all<{ id: number; path: string }>(sql).map(({ id, path }) => [path, id]));
}

/**
 * Whether what a file refers to may have changed: what one says can lead others of its language on.
 * @returns `undefined` where that holds of every file.
 */
function staleAfter(changes: readonly TreeChange[]): ((path: string) => boolean) | undefined {
  if (changes.some(({ path }) => isManifest(path))) return undefined;
  const families = new Set(changes.map(({ path }) => familyOf(languageOf(path))));
  return (path) => {
    const language = languageOf(path);
    return language !== undefined && families.has(familyOf(language));
  };
}

function familyOf(language: Language | undefined): Language {
  return language === undefined ? "javascript" : (FAMILY[language] ?? language);
}
