/** What differs in a working tree from the tree that was put into it. */
import ignore from "ignore";
import { byText } from "../../../lib/by-text.ts";
import { PalliumError } from "../../../lib/errors.ts";
import { decodePath, encodePath } from "../../../lib/git-path.ts";
import { nulFields } from "../../../lib/nul-fields.ts";
import { createLook, type FileKind, isRealFolder } from "../../../platform/tree-files/look.ts";
import { storeFiles } from "../trees/store-files.ts";
import { diffTrees, readTree, type TreeChange, updateIndex, writeTree } from "../trees/tree.ts";
import type { TreeIndex, TreeStore } from "../trees/tree-store.ts";
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
  /** The tree with the changes in it. */
  readonly tree: string;
  /**
   * Paths, sorted, of which nothing or not all was taken: nested repositories, pipes, devices, files
   * that may not be read, names that git refuses.
   */
  readonly skipped: readonly string[];
}

/**
 * Every file that is not as it was put there, whatever was done to the index and however often it
 * was committed; new files unless they are ignored. Contents are in the store.
 * @throws PalliumError `worktree_lost`, `disk_full`, `permission_denied`, `io_failed`, `git_failed`.
 */
export async function readChanges(
  store: TreeStore,
  { root, tree, state }: WorkingTree,
  { ignored = [], except = [], also = [] }: ChangeOptions = {},
): Promise<WorkingChanges> {
  if (!isRealFolder(root)) throw worktreeLost(root);
  const excepted = new Set(except);
  const isCounted = (path: string) => !excepted.has(path);
  const touched = await changedSince(root, state);
  return store.withIndex(async (index) => {
    await index.run(["read-tree", tree]);
    const { files, nested } = await untracked(index, root, ignored);
    const fresh = files.filter((path) => !state.has(path));
    const paths = new Set([...touched, ...fresh, ...also].filter(isCounted));
    const taken = await takeFiles(store, { root, tree, state }, [...paths]);
    const after = await changedTree(index, tree, taken.changes);
    const changes = await diffTrees(store, tree, after);
    const refused = refusedPaths(state, taken.changes, changes);
    const skipped = new Set([...nested.filter(isCounted), ...taken.skipped, ...refused]);
    return { changes, tree: after, skipped: [...skipped].sort(byText) };
  });
}

function worktreeLost(root: string): PalliumError {
  return new PalliumError("worktree_lost", `the working tree is gone, or a link: ${root}`, {
    hints: ["whoever worked in it removed it; run that call again"],
  });
}

type Taken = Pick<TreeChange, "path" | "after">;

/** Stores what the paths are now. */
async function takeFiles(
  store: TreeStore,
  { root, tree, state }: WorkingTree,
  paths: readonly string[],
): Promise<{ readonly changes: readonly Taken[]; readonly skipped: readonly string[] }> {
  const { hasExecutables, hasLinks } = store.kind;
  const before = hasExecutables && hasLinks ? undefined : await readTree(store, tree);
  const isNested = (path: string) => state.get(path)?.kind === "folder";
  const entries = await storeFiles(
    store,
    root,
    paths.filter((path) => !isNested(path)),
    before,
  );
  const look = createLook(root);
  const changes: Taken[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const after = entries.get(path);
    const kind = look(path)?.kind;
    const isUnread = after === undefined && kind !== undefined && kind !== "folder";
    const isRepository = kind === "folder" && look(gitIn(path)) !== undefined;
    if (isNested(path) || isUnread || isRepository) skipped.push(path);
    if (after !== undefined) changes.push({ path, after });
    else if (isGone(state.get(path)?.kind, kind)) changes.push({ path });
  }
  return { changes, skipped };
}

function gitIn(path: string): string {
  return decodePath(Buffer.concat([encodePath(path), Buffer.from("/.git")]));
}

/** Whether a path held a file that now is gone, or something else in its place. */
function isGone(before: FileKind | undefined, now: FileKind | undefined): boolean {
  if (before === undefined || before === "folder") return false;
  return now === undefined || now === "folder" || now === "other";
}

/** Git leaves names out that could stand for its own files. */
function refusedPaths(
  state: WorkingState,
  taken: readonly Taken[],
  changes: readonly TreeChange[],
): readonly string[] {
  const changed = new Set(changes.map(({ path }) => path));
  return taken.flatMap(({ path, after }) => {
    if (after === undefined || changed.has(path)) return [];
    const before = state.get(path)?.kind;
    const isNewLink = after.mode === "120000" && before !== undefined && before !== after.mode;
    return !state.has(path) || isNewLink ? [path] : [];
  });
}

async function changedTree(
  index: TreeIndex,
  tree: string,
  changes: readonly Taken[],
): Promise<string> {
  if (changes.length === 0) return tree;
  await updateIndex(index, changes);
  return writeTree(index);
}

/** New files of a working tree that are not ignored. */
export function listUntracked(
  store: TreeStore,
  { root, tree }: Pick<WorkingTree, "root" | "tree">,
): Promise<readonly string[]> {
  return store.withIndex(async (index) => {
    await index.run(["read-tree", tree]);
    return (await untracked(index, root, [])).files;
  });
}

/**
 * Files that an index does not have, and the tops of repositories inside, which git does not enter.
 */
async function untracked(
  index: TreeIndex,
  root: string,
  ignored: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly nested: readonly string[] }> {
  const list = async (...options: string[]): Promise<string[]> => {
    const paths: string[] = [];
    const args = ["ls-files", "--others", "--exclude-standard", "-z", ...options];
    const output = index.stream(args, { workTree: root });
    for await (const field of nulFields(output)) paths.push(decodePath(field));
    return paths;
  };
  const found = await list();
  if (ignored.length > 0) {
    const wanted = ignore({ ignorecase: false }).add([...ignored]);
    const isWanted = (path: string) => wanted.ignores(encodePath(path).toString());
    found.push(...(await list("--ignored")).filter(isWanted));
  }
  const isNested = (path: string) => path.endsWith("/");
  return {
    files: found.filter((path) => !isNested(path)),
    nested: found.filter(isNested).map((path) => path.slice(0, -1)),
  };
}
