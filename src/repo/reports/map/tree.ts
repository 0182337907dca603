/** Files as a tree of folders, with what each folder adds up to. */
import { byPath, byText } from "../../../lib/by-text.ts";
import type { FileMeasures } from "./measures.ts";

export interface FolderTotals {
  /** Empty for the whole repository. */
  readonly path: string;
  /** Files in it, at any depth. */
  readonly files: number;
  readonly lines: number;
  /** Commits that touched its files, counted once for each file. */
  readonly touches: number;
  readonly fixes: number;
  readonly heat: number;
  /** Of its files, each counting as much as it has lines; 0 to 100. */
  readonly risk: number;
  /** Files of high risk in it. */
  readonly high_risk_files: number;
  /** RFC 3339 in UTC, or empty. */
  readonly last_touched_at: string;
}

export interface MapFolder extends FolderTotals {
  /** By path. */
  readonly children: readonly MapNode[];
}

export type MapNode = MapFolder | FileMeasures;

/** Tells folders from files. */
export function isFolder(node: MapNode): node is MapFolder {
  return "children" in node;
}

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: FileMeasures[];
}

/** The root folder, and in it each file once, at its path. */
export function buildTree(files: readonly FileMeasures[]): MapFolder {
  const root = emptyBranch();
  for (const file of files) {
    let branch = root;
    for (const name of file.path.split("/").slice(0, -1)) branch = folderIn(branch, name);
    branch.files.push(file);
  }
  return folderOf("", root);
}

function emptyBranch(): Branch {
  return { folders: new Map(), files: [] };
}

function folderIn({ folders }: Branch, name: string): Branch {
  const found = folders.get(name) ?? emptyBranch();
  folders.set(name, found);
  return found;
}

function folderOf(path: string, { folders, files }: Branch): MapFolder {
  const below = [...folders].map(([name, branch]) =>
    folderOf(path === "" ? name : `${path}/${name}`, branch),
  );
  const children = [...below, ...files].sort(byPath);
  return { ...totalsOf(path, children), children };
}

/** What some files and folders add up to. */
export function totalsOf(path: string, nodes: readonly MapNode[]): FolderTotals {
  const sum = (value: (node: MapNode) => number) =>
    nodes.reduce((total, node) => total + value(node), 0);
  const lines = sum((node) => node.lines);
  const weighted = sum((node) => node.lines * node.risk);
  return {
    path,
    files: sum((node) => (isFolder(node) ? node.files : 1)),
    lines,
    touches: sum((node) => (isFolder(node) ? node.touches : node.commits)),
    fixes: sum((node) => node.fixes),
    heat: Math.round(1000 * sum((node) => node.heat)) / 1000,
    risk: lines === 0 ? 0 : Math.round(weighted / lines),
    high_risk_files: sum((node) => (isFolder(node) ? node.high_risk_files : highRisk(node))),
    last_touched_at:
      nodes
        .map((node) => node.last_touched_at)
        .sort(byText)
        .at(-1) ?? "",
  };
}

function highRisk({ level }: FileMeasures): number {
  return level === "high" ? 1 : 0;
}
