/**
 * Where a task is in force, as a key: one branch, in whatever worktree it is checked out; for a
 * detached head that one worktree, since detached checkouts have nothing else of their own.
 */

/** @param branch without `refs/heads/`. */
export function branchPlace(branch: string): string {
  return `branch:${branch}`;
}

/** @param root absolute root of the worktree. */
export function worktreePlace(root: string): string {
  return `worktree:${root}`;
}

/** @param branch `undefined` where the head is detached. */
export function taskPlace(branch: string | undefined, worktreeRoot: string): string {
  return branch === undefined ? worktreePlace(worktreeRoot) : branchPlace(branch);
}
