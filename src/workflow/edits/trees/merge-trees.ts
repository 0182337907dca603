/**
 * Three-way merge of trees, file by file and then line by line. No renames are guessed and no
 * drivers asked: the same three trees give the same answer everywhere.
 */
import { byText } from "../../../lib/by-text.ts";
import { parentOf } from "../../../lib/git-path.ts";
import { mergeEntries } from "./merge-entries.ts";
import { changeTree, diffTrees, isSameEntry, type TreeChange } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";

export interface TreeMerge {
  /** Both changes together; `ours` where they do not go together. */
  readonly tree: string;
  /** Paths that both changed in ways that do not go together, sorted. */
  readonly conflicts: readonly string[];
}

type Outcome = Pick<TreeChange, "path" | "after">;

/** Brings what changed from `base` to `theirs` to `ours`. */
export async function mergeTrees(
  store: TreeStore,
  base: string,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  if (ours === base || ours === theirs) return { tree: theirs, conflicts: [] };
  if (theirs === base) return { tree: ours, conflicts: [] };
  const own = new Map(
    (await diffTrees(store, base, ours)).map((change) => [change.path, change] as const),
  );
  const outcomes: Outcome[] = [];
  const conflicts = new Set<string>();
  for (const change of await diffTrees(store, base, theirs)) {
    const outcome = await mergeChanges(store, own.get(change.path), change);
    if (outcome === undefined) conflicts.add(change.path);
    else outcomes.push(outcome);
  }
  for (const path of clashes([...own.values()], outcomes)) conflicts.add(path);
  if (conflicts.size > 0) return { tree: ours, conflicts: [...conflicts].sort(byText) };
  return { tree: await changeTree(store, ours, outcomes), conflicts: [] };
}

/** What a path becomes; `undefined` where the two changes do not go together. */
async function mergeChanges(
  store: TreeStore,
  ours: TreeChange | undefined,
  theirs: TreeChange,
): Promise<Outcome | undefined> {
  const { path, before, after } = theirs;
  if (ours === undefined || isSameEntry(ours.after, after)) return theirs;
  const merged = await mergeEntries(store, {
    ...(before && { base: before }),
    ...(ours.after && { ours: ours.after }),
    ...(after && { theirs: after }),
  });
  return merged && { path, after: merged };
}

/**
 * New files of one side that are folders of the other. Both are among the changes: a folder that was
 * there before is gone on the side that has a file in its place.
 */
function clashes(own: readonly Outcome[], outcomes: readonly Outcome[]): readonly string[] {
  const gone = new Set(outcomes.filter(({ after }) => after === undefined).map(({ path }) => path));
  const present = [...own, ...outcomes].filter(({ path, after }) => after && !gone.has(path));
  const files = new Set(present.map(({ path }) => path));
  return [...files].flatMap(foldersOf).filter((folder) => files.has(folder));
}

function foldersOf(path: string): readonly string[] {
  const folder = parentOf(path);
  return folder === "" ? [] : [folder, ...foldersOf(folder)];
}
