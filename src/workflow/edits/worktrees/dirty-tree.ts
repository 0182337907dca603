/** What the user has changed and not committed, as a tree. */
import { listPaths } from "../../../platform/git/list-paths.ts";
import type { Git } from "../../../platform/git/runner.ts";
import { storeFiles } from "../trees/store-files.ts";
import { changeTree, type TreeChange } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";

/**
 * A tree with the files of a checkout as they are: changed, staged or not, deleted, and new ones
 * that are not ignored. Nested repositories are what the commit says.
 * @param root absolute top of the checkout.
 * @param tree what its commit would put there, byte for byte.
 */
export async function dirtyTree(
  git: Git,
  store: TreeStore,
  root: string,
  tree: string,
): Promise<string> {
  const diff = ["diff-index", "--name-only", "-z", "--no-renames", "--ignore-submodules=all"];
  const paths = [
    ...(await listPaths(git, root, [...diff, "HEAD"])),
    ...(await listPaths(git, root, ["ls-files", "--others", "--exclude-standard", "-z"])),
  ].filter((path) => !path.endsWith("/"));
  const now = await storeFiles(store, root, paths);
  const changes = [...new Set(paths)].map((path): Pick<TreeChange, "path" | "after"> => {
    const after = now.get(path);
    return after === undefined ? { path } : { path, after };
  });
  return changeTree(store, tree, changes);
}
