/** What differs in a working tree from the tree that was put into it. */
import ignore from "ignore";
import { byText } from "../../lib/by-text.ts";
import { decodePath } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import { createLook } from "../../platform/tree-files/look.ts";
import { storeFiles } from "./store-files.ts";
import { readTree, SUBMODULE_MODE, type TreeChange, type TreeEntry } from "./tree.ts";
import type { TreeStore } from "./tree-store.ts";
import { changedSince, type WorkingState } from "./working-state.ts";

export interface WorkingTree {
  /** Absolute top. */
  readonly root: string;
  /** What was put into it. */
  readonly tree: string;
  /** How its files stood right after that. */
  readonly state: WorkingState;
}

export interface ChangeOptions {
  /** Patterns, as in `.gitignore`, of ignored files that count all the same. */
  readonly ignored?: readonly string[];
  /** Paths that were put beside the tree and are no work, such as links to dependencies. */
  readonly except?: readonly string[];
  /** Paths that count although they are ignored, such as those that were committed. */
  readonly also?: readonly string[];
}

export interface WorkingChanges {
  readonly changes: readonly TreeChange[];
  /** Paths that no tree can hold: nested repositories, pipes, devices. */
  readonly skipped: readonly string[];
}

/**
 * Every file that is not as it was put there, whatever was done to the index and however often it
 * was committed; new files unless they are ignored. Contents are in the store.
 */
export async function readChanges(
  store: TreeStore,
  { root, tree, state }: WorkingTree,
  { ignored = [], except = [], also = [] }: ChangeOptions = {},
): Promise<WorkingChanges> {
  const before = await readTree(store, tree);
  const excepted = new Set(except);
  const isCounted = (path: string) => !excepted.has(path);
  const { files, nested } = await untracked(store, root, tree, ignored);
  const candidates = [...(await changedSince(root, state)), ...files, ...also];
  const paths = [...new Set(candidates)].filter(isCounted).sort(byText);
  const now = await storeFiles(store, root, paths);
  const look = createLook(root);
  return {
    changes: paths.flatMap((path) => changeOf(path, before.get(path), now.get(path)) ?? []),
    skipped: [...nested.filter(isCounted), ...paths.filter((path) => look(path)?.kind === "other")],
  };
}

function changeOf(
  path: string,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
): TreeChange | undefined {
  if (before?.mode === SUBMODULE_MODE) return undefined;
  if (before?.mode === after?.mode && before?.blob === after?.blob) return undefined;
  return { path, ...(before && { before }), ...(after && { after }) };
}

/** Files that are not in the tree, and the tops of repositories inside, which git does not enter. */
async function untracked(
  store: TreeStore,
  root: string,
  tree: string,
  ignored: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly nested: readonly string[] }> {
  return store.withIndex(async (index) => {
    await index.run(["read-tree", tree]);
    const list = async (...options: string[]): Promise<string[]> => {
      const paths: string[] = [];
      const args = ["ls-files", "--others", "--exclude-standard", "-z", ...options];
      const output = index.stream(args, { workTree: root });
      for await (const field of nulFields(output)) paths.push(decodePath(field));
      return paths;
    };
    const found = await list();
    if (ignored.length > 0) {
      const wanted = ignore().add([...ignored]);
      found.push(...(await list("--ignored")).filter((path) => wanted.ignores(path)));
    }
    const isNested = (path: string) => path.endsWith("/");
    return {
      files: found.filter((path) => !isNested(path)),
      nested: found.filter(isNested).map((path) => path.slice(0, -1)),
    };
  });
}
