/** Detached working trees of a run: made from a commit and what the run staged so far, and removed. */
import { dirname, join, resolve } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import {
  ensurePrivateDir,
  isDirectory,
  listDirectories,
  readTextFile,
  realPath,
  realPathOfParent,
} from "../../../platform/files.ts";
import { listPaths } from "../../../platform/git/list-paths.ts";
import type { Git } from "../../../platform/git/runner.ts";
import { removeFolder } from "../../../platform/remove-folder.ts";
import { placeFiles } from "../trees/place-files.ts";
import { diffTrees, type TreeChange } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { indexFiles } from "./index-files.ts";
import { readWorkingState, type WorkingState } from "./working-state.ts";

export interface Checkout {
  /** Absolute top of the working tree. */
  readonly root: string;
  /** Its files that the commit put there. */
  readonly paths: readonly string[];
}

/** Who the commits are by that workers see their work begin from. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: "pallium",
  GIT_AUTHOR_EMAIL: "pallium@localhost",
  GIT_COMMITTER_NAME: "pallium",
  GIT_COMMITTER_EMAIL: "pallium@localhost",
};
const SEED_MESSAGE = "What the run edited so far";
const TIMEOUT_MS = 600_000;
/** How the working trees of calls, readers and loops are called. */
const OWN_NAME = /^(agent|check|view|untilgreen)-/;

/**
 * Checks a commit out into a new detached working tree. What an earlier attempt left under that
 * path is removed first. Nobody else may make one of this repository meanwhile.
 * @param from absolute folder in the repository.
 * @param root absolute path of the new one.
 * @throws PalliumError `git_failed`, `disk_full`, `permission_denied`, `io_failed`.
 */
export async function addWorktree(
  git: Git,
  from: string,
  root: string,
  commit: string,
): Promise<Checkout> {
  await ensurePrivateDir(dirname(root));
  const args = ["worktree", "add", "--quiet", "--detach", "--force", root, commit];
  await git.run(args, { cwd: from, timeoutMs: TIMEOUT_MS });
  const real = await realPath(root);
  return { root: real, paths: await listPaths(git, real, ["ls-files", "-z"]) };
}

/**
 * Brings a fresh working tree from what its commit holds to another tree, and commits that, so that
 * whoever works in it finds nothing changed.
 * @param base what the commit put into it; `tree` what it is to hold.
 */
export async function seedWorktree(
  git: Git,
  store: TreeStore,
  root: string,
  base: string,
  tree: string,
): Promise<readonly TreeChange[]> {
  const changes = await diffTrees(store, base, tree);
  if (changes.length === 0) return changes;
  await placeFiles(store, root, changes, { durable: false });
  await indexFiles(git, store.kind, root, changes);
  await commitIndex(git, root);
  return changes;
}

/** `git commit` would look at every file first, and fail where a filter refuses one. */
async function commitIndex(git: Git, root: string): Promise<void> {
  const run = async (...args: string[]) => {
    const options = { cwd: root, timeoutMs: TIMEOUT_MS, variables: IDENTITY };
    return (await git.run(args, options)).stdout.trim();
  };
  const tree = await run("write-tree", "--missing-ok");
  const commit = await run("commit-tree", tree, "-p", "HEAD", "-m", SEED_MESSAGE);
  await run("update-ref", "--no-deref", "HEAD", commit);
}

/** How the files of a seeded working tree stand. */
export function stateOfWorktree(
  root: string,
  paths: readonly string[],
  seeded: readonly TreeChange[],
): Promise<WorkingState> {
  const files = new Set(paths);
  for (const { path, after } of seeded) {
    if (after === undefined) files.delete(path);
    else files.add(path);
  }
  return readWorkingState(root, files);
}

/**
 * Removes a working tree, and what git knows of it.
 * @param commonDir git directory of its repository.
 * @param within absolute folder it must lie in.
 * @throws PalliumError `worktree_outside` when it lies elsewhere, also through a symbolic link.
 */
export async function removeWorktree(
  commonDir: string,
  root: string,
  within: string,
): Promise<void> {
  const real = await realPathOfParent(root);
  if (!real.startsWith(`${await realPath(within)}/`)) {
    throw new PalliumError(
      "worktree_outside",
      `refused to remove what is outside of ${within}: ${root}`,
      {
        hints: ["look at what lies there, and remove it by hand"],
      },
    );
  }
  // Git's part first: whoever is killed in between leaves a folder, which the next one finds.
  await forgetWorktrees(commonDir, real);
  await removeFolder(real);
}

/**
 * Has git forget the working trees that a process which was killed had only begun to make. Nobody may
 * be making one, and no working tree of the folder may be waiting for its files.
 * @param within absolute folder, without links, of a run's working trees.
 */
export async function forgetHalfMade(commonDir: string, within: string): Promise<void> {
  const known = join(commonDir, "worktrees");
  for (const name of await listDirectories(known)) {
    const folder = join(known, name);
    const gitFile = await gitFileOf(folder);
    const isHalfMade =
      gitFile === undefined
        ? OWN_NAME.test(name)
        : gitFile.startsWith(`${within}/`) && !(await isDirectory(dirname(gitFile)));
    if (isHalfMade) await removeFolder(folder);
  }
}

/**
 * Has git forget the working trees at a folder and below, those that workers made there too. It lists
 * each by a folder of its own that names the tree's `.git`.
 * @param root absolute, without links; need not exist.
 */
export async function forgetWorktrees(commonDir: string, root: string): Promise<void> {
  const known = join(commonDir, "worktrees");
  for (const name of await listDirectories(known)) {
    const folder = join(known, name);
    if ((await gitFileOf(folder))?.startsWith(`${root}/`)) await removeFolder(folder);
  }
}

/** The `.git` of the working tree that a folder of git stands for; it writes this after the folder. */
async function gitFileOf(folder: string): Promise<string | undefined> {
  const text = await readTextFile(join(folder, "gitdir"));
  return text === undefined ? undefined : resolve(folder, text.replace(/\n$/, ""));
}
