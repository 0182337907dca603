/**
 * Three-way merge of trees, file by file and then line by line. No renames are guessed and no
 * drivers asked: the same three trees give the same answer everywhere.
 */
import { byText } from "../../lib/by-text.ts";
import { decodePath } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import { mergeEntries, type Versions } from "./merge-entries.ts";
import { type TreeChange, updateIndex, writeTree } from "./tree.ts";
import type { TreeIndex, TreeStore } from "./tree-store.ts";

export interface TreeMerge {
  /** Both changes together; `ours` where they do not go together. */
  readonly tree: string;
  /** Paths that both changed in ways that do not go together, sorted. */
  readonly conflicts: readonly string[];
}

const STAGES = { "1": "base", "2": "ours", "3": "theirs" } as const;

/** Brings what changed from `base` to `theirs` to `ours`. */
export function mergeTrees(
  store: TreeStore,
  base: string,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  if (ours === base || ours === theirs) return Promise.resolve({ tree: theirs, conflicts: [] });
  if (theirs === base) return Promise.resolve({ tree: ours, conflicts: [] });
  return store.withIndex(async (index) => {
    await index.run(["read-tree", "-i", "-m", "--aggressive", base, ours, theirs]);
    const merged: TreeChange[] = [];
    const conflicts: string[] = [];
    for (const [path, versions] of await readUnmerged(index)) {
      const after = await mergeEntries(store, versions);
      if (after === undefined) conflicts.push(path);
      else merged.push({ path, after });
    }
    if (conflicts.length > 0) return { tree: ours, conflicts: conflicts.sort(byText) };
    await updateIndex(index, merged);
    return { tree: await writeTree(index), conflicts: [] };
  });
}

/** Of each path that neither side decides, its versions. */
async function readUnmerged(
  index: Pick<TreeIndex, "stream">,
): Promise<ReadonlyMap<string, Versions>> {
  const paths = new Map<string, Versions>();
  for await (const field of nulFields(index.stream(["ls-files", "--unmerged", "-z"]))) {
    const tab = field.indexOf("\t");
    const [mode = "", blob = "", stage = ""] = field.toString("latin1", 0, tab).split(" ");
    const path = decodePath(field.subarray(tab + 1));
    const side = STAGES[stage as keyof typeof STAGES];
    paths.set(path, { ...paths.get(path), [side]: { mode, blob } });
  }
  return paths;
}
