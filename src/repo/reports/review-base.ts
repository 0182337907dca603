/** Where a change begins that is to be reviewed. */
import { PalliumError } from "../../lib/errors.ts";
import { assertRef, type Git } from "../../platform/git/runner.ts";

export const DEFAULT_BASE = "HEAD~1";
/** Other ways to name the default. */
const FIRST_PARENT = /^(?:HEAD|@)(?:~1?|\^1?)$/;

/** Whether a base leaves the last commit alone, with what is not committed. */
export function isLastCommit(ref = DEFAULT_BASE): boolean {
  return FIRST_PARENT.test(ref);
}

export interface ReviewBase {
  /** As it was asked for. */
  readonly ref: string;
  /** The commit where both parted, or the empty tree; `undefined` while there are no commits. */
  readonly commit: string | undefined;
  /** Whether it is the empty tree, so that everything counts as new. */
  readonly isEmpty: boolean;
  readonly notes: readonly string[];
}

/**
 * The merge base of a revision and the checked-out commit, so that what others did meanwhile is no
 * part of the change. Where the history begins, or a shallow clone ends, it is the empty tree.
 * @param head hash of the checked-out commit, if there is one.
 * @throws PalliumError `bad_ref`, `base_unknown`.
 */
export async function reviewBase(
  git: Git,
  root: string,
  head: string | undefined,
  ref = DEFAULT_BASE,
): Promise<ReviewBase> {
  assertRef(ref);
  const isDefault = isLastCommit(ref);
  if (head === undefined && isDefault) return { ref, commit: undefined, isEmpty: true, notes: [] };
  const asked = isDefault && head !== undefined ? `${head}~1` : ref;
  const commit = await commitOf(git, root, asked);
  if (commit === undefined) {
    if (isDefault) return wholeHistory(git, root, ref);
    throw new PalliumError("base_unknown", `no commit has this name: ${ref}`, {
      hints: ["name a branch, a tag or a commit; git branch --all lists the branches"],
    });
  }
  if (head === undefined || isDefault) return { ref, commit, isEmpty: false, notes: [] };
  const merged = await mergeBase(git, root, commit, head);
  if (merged !== undefined) return { ref, commit: merged, isEmpty: false, notes: [] };
  return {
    ref,
    commit,
    isEmpty: false,
    notes: [`${ref} and HEAD have no commit in common: what they differ in is shown.`],
  };
}

const HASH = /^[0-9a-f]{40,64}$/;

/**
 * The same by one command that is not told which commit is checked out, and says it; `undefined` where
 * the two have no commit in common, or something else needs a closer look.
 */
export async function baseFromHead(
  git: Git,
  cwd: string,
  ref = DEFAULT_BASE,
): Promise<{ readonly head: string; readonly base: ReviewBase } | undefined> {
  assertRef(ref);
  const isDefault = isLastCommit(ref);
  const revisions = isDefault ? ["HEAD", "HEAD~1^{commit}"] : [`${ref}^{commit}...HEAD`];
  const { stdout } = await git.run(["rev-parse", ...revisions], { cwd, okCodes: [0, 128] });
  const [head = "", named = "", merged = ""] = stdout.split("\n");
  // With dots: the right side, the left one, and what both have in common behind a `^`.
  const commit = isDefault ? named : merged.slice(1);
  if (!HASH.test(head) || !HASH.test(commit)) return undefined;
  return { head, base: { ref, commit, isEmpty: false, notes: [] } };
}

/** Full hash of the commit that a revision names. */
export async function commitOf(git: Git, cwd: string, ref: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const { stdout } = await git.run(args, { cwd, okCodes: [0, 1, 128] });
  return stdout.trim() || undefined;
}

async function mergeBase(
  git: Git,
  root: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  const { stdout } = await git.run(["merge-base", one, other], { cwd: root, okCodes: [0, 1] });
  return stdout.trim() || undefined;
}

async function wholeHistory(git: Git, root: string, ref: string): Promise<ReviewBase> {
  return {
    ref,
    commit: await emptyTree(git, root),
    isEmpty: true,
    notes: [
      "The checked-out commit has no parent here (first commit, or end of a shallow clone): every file counts as new.",
    ],
  };
}

/** Hash of the tree without files, which depends on the kind of hashes the repository has. */
export async function emptyTree(git: Git, root: string): Promise<string> {
  const args = ["hash-object", "-t", "tree", "--stdin"];
  return (await git.run(args, { cwd: root, input: "" })).stdout.trim();
}
