/** Watches the user's checkout while a worker is at work that has no business in it. */
import { join } from "node:path";
import { decodePath } from "../../../lib/git-path.ts";
import { nulFields } from "../../../lib/nul-fields.ts";
import { readTextFile } from "../../../platform/files.ts";
import { listPaths } from "../../../platform/git/list-paths.ts";
import type { Git } from "../../../platform/git/runner.ts";
import type { Place } from "../place.ts";
import { writePatch } from "../trees/patch.ts";
import { storeFiles } from "../trees/store-files.ts";
import { changeTree, isSameEntry, SUBMODULE_MODE, type TreeEntry } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { changedSince, readWorkingState } from "../worktrees/working-state.ts";

export interface CheckoutWatch {
  /** Tracked files that are not as they were, sorted; new files that nobody tracks do not count. */
  changed(): Promise<readonly string[]>;
  /** Whether the repository's own settings are not as they were; `git config` writes there from every working tree. */
  hasNewSettings(): Promise<boolean>;
  /** Writes what was done to these files into a patch at `path`. */
  keep(path: string, files: readonly string[]): Promise<void>;
}

/**
 * Looks at every tracked file of a checkout; those that differ from the index are kept as they are.
 */
export async function watchCheckout(
  git: Git,
  store: TreeStore,
  { root, commonDir }: Pick<Place, "root" | "commonDir">,
): Promise<CheckoutWatch> {
  const settings = () => readTextFile(join(commonDir, "config"));
  const settingsBefore = await settings();
  const tracked = await readIndex(git, root);
  const state = await readWorkingState(root, tracked.keys());
  const dirty = await listPaths(git, root, ["diff-files", "--name-only", "-z"]);
  const kept = await storeFiles(store, root, dirty);
  const isKept = new Set(dirty);
  /** Many tools write a file anew as it was, and git refreshes what it knows of one. */
  const isOther = async (touched: readonly string[]) => {
    const now = await storeFiles(
      store,
      root,
      touched.filter((path) => isKept.has(path)),
    );
    const index = await readIndex(git, root);
    const args = ["diff", "--name-only", "-z", "--no-renames"];
    const changed = new Set(await listPaths(git, root, args));
    return (path: string) =>
      isKept.has(path)
        ? !isSameEntry(kept.get(path), now.get(path))
        : changed.has(path) || !isSameEntry(tracked.get(path), index.get(path));
  };
  return {
    async changed() {
      const touched = await changedSince(root, state);
      return touched.length === 0 ? [] : touched.filter(await isOther(touched)).toSorted();
    },
    hasNewSettings: async () => (await settings()) !== settingsBefore,
    async keep(path, files) {
      const before = (file: string) => (isKept.has(file) ? kept.get(file) : tracked.get(file));
      const now = await storeFiles(store, root, files);
      await writePatch(
        store,
        path,
        await treeOf(store, files, before),
        await treeOf(store, files, (file) => now.get(file)),
      );
    },
  };
}

async function treeOf(
  store: TreeStore,
  files: readonly string[],
  entry: (file: string) => TreeEntry | undefined,
): Promise<string> {
  const { stdout } = await store.run(["mktree"], { input: "" });
  const changes = files.flatMap((path) => {
    const after = entry(path);
    return after === undefined ? [] : [{ path, after }];
  });
  return changeTree(store, stdout.trim(), changes);
}

/** Tracked files; those of nested repositories are not ours to watch. */
async function readIndex(git: Git, root: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for await (const field of nulFields(git.stream(["ls-files", "--stage", "-z"], { cwd: root }))) {
    const tab = field.indexOf("\t");
    const [mode = "", blob = ""] = field.toString("latin1", 0, tab).split(" ");
    // Whatever is written into a nested repository changes the looks of its folder.
    if (mode !== SUBMODULE_MODE) entries.set(decodePath(field.subarray(tab + 1)), { mode, blob });
  }
  return entries;
}
