/** What was really done to a checkout, as two trees that hold nothing else. */
import type { Application } from "../apply/records.ts";
import { type TreeChange, updateIndex, writeTree } from "../edits/trees/tree.ts";
import type { TreeStore } from "../edits/trees/tree-store.ts";

export interface TreePair {
  readonly from: string;
  readonly to: string;
}

/** @param applications that are in the checkout, the latest last. */
export async function appliedTrees(
  store: TreeStore,
  applications: readonly Application[],
): Promise<TreePair> {
  const changes = new Map<string, TreeChange>();
  for (const { path, before, after } of applications.flatMap(({ steps }) => steps)) {
    const earlier = changes.get(path);
    const first = earlier === undefined ? before : earlier.before;
    changes.set(path, { path, ...(first && { before: first }), ...(after && { after }) });
  }
  const side = (which: "before" | "after") =>
    [...changes.values()].flatMap(({ path, [which]: entry }) =>
      entry === undefined ? [] : [{ path, after: entry }],
    );
  return { from: await treeOf(store, side("before")), to: await treeOf(store, side("after")) };
}

function treeOf(
  store: TreeStore,
  files: readonly Pick<TreeChange, "path" | "after">[],
): Promise<string> {
  return store.withIndex(async (index) => {
    await updateIndex(index, files);
    return writeTree(index);
  });
}
