/** Commits what a run edited to a new branch in each repository, or in none. */

import { PalliumError } from "../../lib/errors.ts";
import { createPatchScan } from "../../secrets/patch-scan.ts";
import { assertNewBranch, commitToBranch, dropBranch } from "../edits/checkout/commit-branch.ts";
import type { EditContext, EditRepo } from "./edit-repos.ts";
import { openEditRepos } from "./open-repos.ts";
import type { RepoRecord } from "./records.ts";
import { assertNoSecrets } from "./secret-gate.ts";

export interface NewBranch {
  /** Short name of a branch that no repository of the run has yet. */
  readonly name: string;
  readonly message: string;
}

export interface BranchCommit {
  /** Absolute top of the checkout that the edits were meant for. */
  readonly root: string;
  /** Full hash. */
  readonly commit: string;
}

/**
 * Commits all that is staged on top of the commit that the edits began from. Checkout and index stay
 * as they are; what is applied stays applied.
 * @returns a commit per repository that was edited; none where nothing was.
 * @throws PalliumError `secret_in_patch`, `branch_invalid`, `branch_exists`, `branch_conflict`,
 *   `repo_locked`, and those of `openEditRepo` and `commitToBranch`: no branch was made.
 */
export async function commitEdits(
  context: EditContext,
  { name, message }: NewBranch,
): Promise<readonly BranchCommit[]> {
  const { powers, warn } = context;
  const repos = await openEditRepos(context, ({ base, staged }) => staged.tree !== base.start);
  assertApart(repos);
  for (const { place } of repos) await assertNewBranch(powers.git, place.commonDir, name);
  const gate = { scanPatch: createPatchScan(), variables: powers.environment.variables, warn };
  for (const { record, store } of repos) {
    await assertNoSecrets(gate, store, record.base.start, record.staged.tree);
  }
  return commitAll(context, repos, { name, message });
}

async function commitAll(
  { powers: { git } }: EditContext,
  repos: readonly EditRepo[],
  { name: branch, message }: NewBranch,
): Promise<readonly BranchCommit[]> {
  const made: { readonly repo: EditRepo; readonly commit: string }[] = [];
  try {
    for (const repo of repos) {
      const { commonDir } = repo.place;
      const request = { commonDir, branch, message, ...changeOf(repo.record) };
      made.push({ repo, commit: await commitToBranch(git, repo.store, request) });
    }
  } catch (error) {
    for (const { repo, commit } of made)
      await dropBranch(git, repo.place.commonDir, branch, commit);
    throw error;
  }
  return made.map(({ repo, commit }) => ({ root: repo.record.base.root, commit }));
}

function changeOf({ base, staged }: RepoRecord) {
  return { commit: base.commit, tree: base.tree, from: base.start, to: staged.tree };
}

/** Working trees of one repository share its branches. */
function assertApart(repos: readonly EditRepo[]): void {
  for (const { record, place } of repos) {
    const other = repos.find(
      (repo) => repo.record !== record && repo.place.commonDir === place.commonDir,
    );
    if (other === undefined) continue;
    throw new PalliumError(
      "branch_conflict",
      `one branch cannot hold what was edited in two working trees of a repository: ${record.base.root} and ${other.record.base.root}`,
      { hints: ["apply the edits to the checkouts, and commit them there"] },
    );
  }
}
