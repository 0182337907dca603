/** Commits what a run edited to a branch of its own; neither checkout nor index take part. */
import { join } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import { ensurePrivateDir } from "../../../platform/files.ts";
import type { Git } from "../../../platform/git/runner.ts";
import { mergeTrees } from "../trees/merge-trees.ts";
import { placeFiles } from "../trees/place-files.ts";
import { diffTrees, SUBMODULE_MODE, type TreeChange, updateIndex } from "../trees/tree.ts";
import { settingVariables, type TreeStore } from "../trees/tree-store.ts";
import { indexFiles } from "../worktrees/index-files.ts";
import { IDENTITY } from "../worktrees/worktree.ts";

export interface BranchRequest {
  /** Git directory that all working trees of the repository share. */
  readonly commonDir: string;
  /** Commit that the new one comes on top of. */
  readonly commit: string;
  /** What that commit puts into a working tree, byte for byte. */
  readonly tree: string;
  /** The change, from one tree to another. */
  readonly from: string;
  readonly to: string;
  /** Short name of a branch that is not there yet. */
  readonly branch: string;
  readonly message: string;
}

const TIMEOUT_MS = 600_000;
const SETTINGS = {
  "core.bigFileThreshold": "16m",
  "core.fsync": "loose-object,reference",
  "core.safecrlf": "false",
  "core.sparseCheckout": "false",
  "core.splitIndex": "false",
  "index.sparse": "false",
  // Without it git makes a name up from that of the machine.
  "user.useConfigOnly": "true",
};
const ROLES = ["AUTHOR", "COMMITTER"] as const;

/**
 * Contents are committed as the filters and attributes of the repository have them, in the name of
 * its user. All that the commit needs is in the repository itself.
 * @returns the full hash of the commit.
 * @throws PalliumError `branch_invalid`, `branch_exists`, `branch_conflict`, `git_failed`,
 *   `edit_objects_lost`, `disk_full`, `permission_denied`, `io_failed`.
 */
export async function commitToBranch(
  git: Git,
  store: TreeStore,
  request: BranchRequest,
): Promise<string> {
  const { commonDir, branch, commit, message } = request;
  await assertNewBranch(git, commonDir, branch);
  const changes = await changesOnTop(store, request);
  await using folder = await store.temporary();
  const files = join(folder.path, "files");
  await ensurePrivateDir(files);
  const own = gitOn(git, files, {
    GIT_DIR: commonDir,
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(folder.path, "index"),
    ...settingVariables(SETTINGS),
  });
  const tree = await treeOf(own, store, files, commit, changes);
  const { stdout } = await own.run(["commit-tree", tree, "-p", commit, "-F", "-"], {
    cwd: files,
    input: message,
    variables: await missingIdentity(own, files),
  });
  const made = stdout.trim();
  const absent = "0".repeat(made.length);
  await own.run(["update-ref", `refs/heads/${branch}`, made, absent], { cwd: files });
  return made;
}

/** @throws PalliumError `branch_invalid`, `branch_exists`. */
export async function assertNewBranch(git: Git, commonDir: string, branch: string): Promise<void> {
  const okCodes = [0, 1, 128];
  const valid = await git.run(["check-ref-format", `refs/heads/${branch}`], {
    cwd: commonDir,
    okCodes,
  });
  if (valid.exitCode !== 0 || branch.startsWith("-")) {
    throw new PalliumError("branch_invalid", `no branch can have that name: ${branch}`, {
      hints: ["name one such as: pallium/fix-login"],
    });
  }
  const found = await git.run(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], {
    cwd: commonDir,
    okCodes,
  });
  if (found.exitCode !== 0) return;
  throw new PalliumError("branch_exists", `the branch is there already: ${branch}`, {
    hints: ["name another one; branches that exist are left alone"],
  });
}

/** Takes a branch away again that still is at the commit it was made with. */
export async function dropBranch(
  git: Git,
  commonDir: string,
  branch: string,
  commit: string,
): Promise<void> {
  await git.run(["update-ref", "-d", `refs/heads/${branch}`, commit], { cwd: commonDir });
}

async function changesOnTop(
  store: TreeStore,
  { tree, from, to }: BranchRequest,
): Promise<readonly TreeChange[]> {
  const merge = await mergeTrees(store, from, tree, to);
  if (merge.conflicts.length === 0) return diffTrees(store, tree, merge.tree);
  const files = merge.conflicts.map(visibleName).join(", ");
  throw new PalliumError(
    "branch_conflict",
    `the edits build on changes that are not committed: ${files}`,
    { hints: ["apply them to the checkout, and commit them there with what they build on"] },
  );
}

/** The same git with variables that nothing overrides. */
function gitOn(git: Git, cwd: string, variables: Readonly<Record<string, string>>): Git {
  return {
    ...git,
    run: (args, options) =>
      git.run(args, {
        timeoutMs: TIMEOUT_MS,
        ...options,
        cwd,
        variables: { ...options.variables, ...variables },
      }),
  };
}

/** The tree of the commit with these changes. */
async function treeOf(
  git: Git,
  store: TreeStore,
  files: string,
  commit: string,
  changes: readonly TreeChange[],
): Promise<string> {
  const isNested = ({ before, after }: TreeChange) => (after ?? before)?.mode === SUBMODULE_MODE;
  await git.run(["read-tree", commit], { cwd: files });
  await placeFiles(store, files, changes, { durable: false });
  await indexFiles(
    git,
    store.kind,
    files,
    changes.filter((change) => !isNested(change)),
  );
  const run: TreeStore["run"] = (args, { input = "" } = {}) => git.run(args, { cwd: files, input });
  await updateIndex({ kind: store.kind, run }, changes.filter(isNested));
  return (await git.run(["write-tree"], { cwd: files })).stdout.trim();
}

/** A name for whoever has none in the settings of git, nor in its variables. */
async function missingIdentity(git: Git, cwd: string): Promise<Record<string, string>> {
  const missing: Record<string, string> = {};
  for (const role of ROLES) {
    const known = await git.run(["var", `GIT_${role}_IDENT`], { cwd, okCodes: [0, 128] });
    if (known.exitCode === 0) continue;
    missing[`GIT_${role}_NAME`] = IDENTITY[`GIT_${role}_NAME`];
    missing[`GIT_${role}_EMAIL`] = IDENTITY[`GIT_${role}_EMAIL`];
  }
  return missing;
}
