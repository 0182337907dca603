/** The files of a repository as they are now: those of the indexed commit, and what has changed since. */
import { join } from "node:path";
import { isQuoted } from "../../lib/git-path.ts";
import { readRegularFile } from "../../platform/bounded-read.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { type LinkRow, linksFrom, linksTo } from "../history/queries.ts";
import { createResolver } from "../imports/resolver.ts";
import type { SourceTree } from "../imports/types.ts";
import type { WorkingChange } from "../working-tree.ts";
import { indexedTree } from "./indexed-tree.ts";
import { isKeptText } from "./kept-text.ts";
import { type ScannedFile, SIZE_LIMIT, scanFile } from "./scan-file.ts";

export interface CurrentFiles extends SourceTree {
  /** What a file uses, by path. */
  linksFrom(path: string): readonly LinkRow[];
  /** What uses a file, by path. */
  linksTo(path: string): readonly LinkRow[];
  /** How many lines of text the file has. */
  lines(path: string): number | undefined;
}

/** Of more changed files than this only so many are read; the others count as they were. */
const MOST_READ = 500;

interface ChangedFile extends ScannedFile {
  readonly text?: string;
}

/**
 * @param root top of the working tree.
 * @param changes as they are now, against the indexed commit.
 */
export async function currentFiles(
  index: Reader,
  root: string,
  changes: readonly WorkingChange[],
): Promise<CurrentFiles> {
  const indexed = indexedTree(index);
  const paths = new Set(indexed.paths);
  for (const { path, status, oldPath } of changes) {
    if (oldPath !== undefined && status.includes("R")) paths.delete(oldPath);
    if (status.includes("D")) paths.delete(path);
    else paths.add(path);
  }
  const changed = await readChanged(root, changes);
  const tree: SourceTree = {
    paths,
    scan: (path) => (changed.has(path) ? changed.get(path)?.scan : indexed.scan(path)),
    manifest: (path) => (changed.has(path) ? changed.get(path)?.text : indexed.manifest(path)),
  };
  const resolver = createResolver(tree);
  const resolved = (path: string): readonly LinkRow[] =>
    resolver.resolve(path).map(({ to, kind }) => ({ path: to, kind }));
  const isThere = ({ path }: LinkRow) => paths.has(path);

  return {
    ...tree,
    lines: (path) => changed.get(path)?.lines ?? indexed.lines(path),
    linksFrom(path) {
      if (changed.has(path)) return resolved(path);
      const id = indexed.ids.get(path);
      return id === undefined ? [] : linksFrom(index, id).filter(isThere);
    },
    linksTo(path) {
      const id = indexed.ids.get(path);
      const known = id === undefined ? [] : linksTo(index, id);
      const fromChanged = [...changed.keys()].flatMap((from) =>
        resolved(from)
          .filter((link) => link.path === path)
          .map(({ kind }) => ({ path: from, kind })),
      );
      return [
        ...known.filter((link) => isThere(link) && !changed.has(link.path)),
        ...fromChanged,
      ].sort((a, b) => (a.path < b.path ? -1 : 1));
    },
  };
}

async function readChanged(
  root: string,
  changes: readonly WorkingChange[],
): Promise<ReadonlyMap<string, ChangedFile>> {
  const present = changes.filter(({ path, status }) => !status.includes("D") && !isQuoted(path));
  const entries = present.slice(0, MOST_READ).map(async ({ path }) => {
    const content = await readRegularFile(join(root, path), SIZE_LIMIT);
    return [path, content === undefined ? { lines: 0 } : changedFile(path, content)] as const;
  });
  return new Map(await Promise.all(entries));
}

function changedFile(path: string, content: Buffer): ChangedFile {
  const scanned = scanFile(path, content);
  return isKeptText(path) ? { ...scanned, text: content.toString("utf8") } : scanned;
}
