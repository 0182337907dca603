/** The files of a repository as they are now: those of the indexed commit, and what has changed since. */
import { join } from "node:path";
import { byPath } from "../../lib/by-text.ts";
import { isQuoted } from "../../lib/git-path.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import { readRegularFile } from "../../platform/bounded-read.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { type LinkRow, linksFrom, linksTo } from "../history/queries.ts";
import { createResolver } from "../imports/resolver.ts";
import { addTo, memoise } from "../imports/tree-index.ts";
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
/** Bounds the memory that the contents take, which are dropped once they are looked at. */
const READ_AT_ONCE = 16;

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
  const resolved = memoise((path): readonly LinkRow[] =>
    resolver.resolve(path).map(({ to, kind }) => ({ path: to, kind })),
  );
  const isThere = ({ path }: LinkRow) => paths.has(path);
  let fromChanged: ReadonlyMap<string, readonly LinkRow[]> | undefined;

  return {
    ...tree,
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

async function readChanged(
  root: string,
  changes: readonly WorkingChange[],
): Promise<ReadonlyMap<string, ChangedFile>> {
  const present = changes.filter(({ path, status }) => !status.includes("D") && !isQuoted(path));
  const slots = createSemaphore(READ_AT_ONCE);
  const entries = present.slice(0, MOST_READ).map(async ({ path }) => {
    const release = await slots.acquire();
    try {
      const content = await readRegularFile(join(root, path), SIZE_LIMIT);
      return [path, content === undefined ? { lines: 0 } : changedFile(path, content)] as const;
    } finally {
      release();
    }
  });
  return new Map(await Promise.all(entries));
}

function changedFile(path: string, content: Buffer): ChangedFile {
  const scanned = scanFile(path, content);
  return isKeptText(path) ? { ...scanned, text: content.toString("utf8") } : scanned;
}
