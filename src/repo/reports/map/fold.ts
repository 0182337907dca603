/** Makes a tree small enough to be drawn: what is left out of a folder becomes one node in it. */

import { counted } from "../../../lib/counted.ts";
import { nameOf } from "../../../lib/slash-path.ts";
import type { MapKind } from "./kinds.ts";
import type { FileMeasures } from "./measures.ts";
import { isFolder, type MapFolder, type MapNode, totalsOf } from "./tree.ts";

export type DrawnNode = DrawnFolder | DrawnFile | DrawnRest;

export interface DrawnFolder {
  /** Several names where each folder holds nothing but the next. */
  readonly name: string;
  readonly children: readonly DrawnNode[];
}

interface Drawn {
  readonly name: string;
  readonly kind: MapKind;
  readonly lines: number;
  readonly commits: number;
  readonly fixes: number;
  readonly risk: number;
  /** RFC 3339 in UTC, or empty. */
  readonly last: string;
}

export interface DrawnFile extends Drawn {
  readonly level: string;
  readonly authors: number;
}

/** All other files of one kind that a folder has, at any depth. */
export interface DrawnRest extends Drawn {
  readonly files: number;
  /** Of them those of high risk. */
  readonly high: number;
}

export interface FoldedTree {
  readonly tree: DrawnFolder;
  /** Files that have no rectangle of their own. */
  readonly folded: number;
}

/**
 * @param important paths that are to be kept before others; then code is, and the longest files are.
 * @param most nodes in the result that are not folders.
 * Files without lines have no area, and are left out.
 */
export function foldTree(
  root: MapFolder,
  important: ReadonlySet<string>,
  most: number,
): FoldedTree {
  const ranked = filesOf(root).sort(
    (a, b) => rank(b, important) - rank(a, important) || b.lines - a.lines,
  );
  for (let kept = Math.min(ranked.length, most); ; ) {
    const keep = new Set(ranked.slice(0, kept).map(({ path }) => path));
    const children = foldChildren(root, keep);
    const leaves = leafCount(children);
    if (leaves <= most) return { tree: { name: "", children }, folded: ranked.length - kept };
    kept = Math.min(kept - 1, Math.floor((kept * most) / leaves));
  }
}

const KIND_RANK: Readonly<Record<MapKind, number>> = { code: 2, test: 1, other: 0 };

function rank({ path, kind }: FileMeasures, important: ReadonlySet<string>): number {
  return important.has(path) ? 3 : KIND_RANK[kind];
}

/** Those that have an area. */
function filesOf(node: MapNode): FileMeasures[] {
  if (isFolder(node)) return node.children.flatMap(filesOf);
  return node.lines > 0 ? [node] : [];
}

function foldChildren(folder: MapFolder, keep: ReadonlySet<string>): readonly DrawnNode[] {
  const children: DrawnNode[] = [];
  const rest: FileMeasures[] = [];
  for (const child of folder.children) {
    if (child.lines === 0) continue;
    if (!isFolder(child)) {
      if (keep.has(child.path)) children.push(drawnFile(child));
      else rest.push(child);
      continue;
    }
    const below = foldChildren(child, keep);
    const holdsNothing = below.every((node) => "files" in node);
    if (holdsNothing) rest.push(...filesOf(child));
    else children.push(joined(nameOf(child.path), below));
  }
  return [...children, ...drawnRests(rest)];
}

function joined(name: string, children: readonly DrawnNode[]): DrawnFolder {
  const [only] = children;
  if (children.length !== 1 || only === undefined || !("children" in only)) {
    return { name, children };
  }
  return { name: `${name}/${only.name}`, children: only.children };
}

function drawnFile(file: FileMeasures): DrawnFile {
  const { kind, lines, commits, fixes, risk, level, authors, last_touched_at: last } = file;
  return { name: nameOf(file.path), kind, lines, commits, fixes, risk, last, level, authors };
}

const REST_NAMES: Readonly<Record<MapKind, (files: number) => string>> = {
  code: (files) => counted(files, "other file"),
  test: (files) => counted(files, "other file of tests", "other files of tests"),
  other: (files) => counted(files, "other document or data file"),
};

function drawnRests(files: readonly FileMeasures[]): readonly DrawnRest[] {
  const kinds: readonly MapKind[] = ["code", "test", "other"];
  return kinds.flatMap((kind) => {
    const some = files.filter((file) => file.kind === kind);
    if (some.length === 0) return [];
    const { files: count, lines, touches: commits, fixes, risk, ...totals } = totalsOf("", some);
    const { high_risk_files: high, last_touched_at: last } = totals;
    const name = REST_NAMES[kind](count);
    return [{ name, kind, files: count, high, lines, commits, fixes, risk, last }];
  });
}

function leafCount(nodes: readonly DrawnNode[]): number {
  return nodes.reduce(
    (count, node) => count + ("children" in node ? leafCount(node.children) : 1),
    0,
  );
}
