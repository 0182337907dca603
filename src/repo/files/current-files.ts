/** The files of a repository as they are now: those of the indexed commit, and what has changed since. */
import { byPath } from "../../lib/by-text.ts";
import { memoise } from "../../lib/memoise.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { type LinkRow, linksFrom, linksTo } from "../history/queries.ts";
import { addTo } from "../imports/tree-index.ts";
import type { SourceTree } from "../imports/types.ts";
import type { WorkingChange } from "../working-tree.ts";
import type { ChangedFiles } from "./changed-files.ts";
import type { IndexedTree } from "./indexed-tree.ts";

export interface CurrentFiles extends SourceTree {
  /** What a file uses, by path. */
  linksFrom(path: string): readonly LinkRow[];
  /** What uses a file, by path. */
  linksTo(path: string): readonly LinkRow[];
  /** How many lines of text the file has. */
  lines(path: string): number | undefined;
  /** What the indexed commit calls a file: another name where one was renamed since. */
  nameBefore(path: string): string;
  /** What a file of the indexed commit is called now. */
  nameNow(path: string): string;
}

/**
 * @param indexed the files of the index.
 * @param root top of the working tree.
 * @param changes as they are now, against the indexed commit.
 */
export async function currentFiles(
  index: Reader,
  indexed: IndexedTree,
  root: string,
  changes: readonly WorkingChange[],
): Promise<CurrentFiles> {
  const paths = changes.length === 0 ? indexed.paths : pathsNow(indexed.paths, changes);
  const changed = await changedFiles(root, changes);
  const tree: SourceTree = {
    paths,
    scan: (path) => (changed.has(path) ? changed.get(path)?.scan : indexed.scan(path)),
    manifest: (path) => (changed.has(path) ? changed.get(path)?.text : indexed.manifest(path)),
  };
  const resolved = await resolving(tree, changed);
  const isThere = ({ path }: LinkRow) => paths.has(path);
  let fromChanged: ReadonlyMap<string, readonly LinkRow[]> | undefined;

  return {
    ...tree,
    ...renames(changes),
    lines: (path) => changed.get(path)?.lines ?? indexed.lines(path),
    linksFrom: memoise((path) => {
      if (changed.has(path)) return resolved(path);
      const id = indexed.id(path);
      return id === undefined ? [] : linksFrom(index, id).filter(isThere);
    }),
    linksTo: memoise((path) => {
      fromChanged ??= turned(changed.keys(), resolved);
      const id = indexed.id(path);
      const known = id === undefined ? [] : linksTo(index, id);
      const unchanged = known.filter((link) => isThere(link) && !changed.has(link.path));
      return [...unchanged, ...(fromChanged.get(path) ?? [])].sort(byPath);
    }),
  };
}

function renames(changes: readonly WorkingChange[]): Pick<CurrentFiles, "nameBefore" | "nameNow"> {
  const [before, now] = [new Map<string, string>(), new Map<string, string>()];
  for (const { path, status, oldPath } of changes) {
    if (oldPath === undefined || !status.includes("R")) continue;
    before.set(path, oldPath);
    now.set(oldPath, path);
  }
  return {
    nameBefore: (path) => before.get(path) ?? path,
    nameNow: (path) => now.get(path) ?? path,
  };
}

function pathsNow(
  indexed: ReadonlySet<string>,
  changes: readonly WorkingChange[],
): ReadonlySet<string> {
  const paths = new Set(indexed);
  for (const { path, status, oldPath } of changes) {
    if (oldPath !== undefined && status.includes("R")) paths.delete(oldPath);
    if (status.includes("D")) paths.delete(path);
    else paths.add(path);
  }
  return paths;
}

/** Scanners and resolvers take longer to load than most questions to answer. */
async function changedFiles(
  root: string,
  changes: readonly WorkingChange[],
): Promise<ChangedFiles> {
  if (changes.length === 0) return new Map();
  return (await import("./changed-files.ts")).readChanged(root, changes);
}

/** What a changed file uses. */
async function resolving(
  tree: SourceTree,
  changed: ChangedFiles,
): Promise<(path: string) => readonly LinkRow[]> {
  if (changed.size === 0) return () => [];
  const { createResolver } = await import("../imports/resolver.ts");
  const resolver = createResolver(tree);
  return memoise((path) => resolver.resolve(path).map(({ to, kind }) => ({ path: to, kind })));
}

/** What uses each file, of the files that some others use. */
function turned(
  files: Iterable<string>,
  linksOf: (path: string) => readonly LinkRow[],
): ReadonlyMap<string, readonly LinkRow[]> {
  const users = new Map<string, LinkRow[]>();
  for (const from of files) {
    for (const { path, kind } of linksOf(from)) addTo(users, path, { path: from, kind });
  }
  return users;
}
