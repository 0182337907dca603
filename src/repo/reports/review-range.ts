/** What a change has in commits and in its patch, read while what is not committed is looked for. */
import type { Git } from "../../platform/git/runner.ts";
import { baseFromHead, type ReviewBase, reviewBase } from "./review-base.ts";
import { type DiffFile, diffFiles } from "./review-diff.ts";
import { type PatchText, readPatch } from "./review-patch.ts";

export interface ReviewRange {
  /** The checked-out commit; `undefined` while there is none. */
  readonly head: string | undefined;
  readonly base: ReviewBase;
  /** What commits have changed since the base. */
  readonly committed: Promise<readonly DiffFile[]>;
  /** From the base to the working tree; absent where there is no base. */
  readonly patch: Promise<PatchText | undefined> | undefined;
}

/**
 * Begins to read a change before it is known what is checked out; `undefined` where that does not
 * work, which `reviewRange` finds the reason of.
 * @param ref as for `reviewBase`.
 */
export async function beginRange(
  git: Git,
  cwd: string,
  ref: string | undefined,
): Promise<ReviewRange | undefined> {
  const found = await baseFromHead(git, cwd, ref);
  return found && rangeFrom(git, cwd, found.head, found.base);
}

/**
 * @param head hash of the checked-out commit, if there is one.
 * @param begun counts where it is of the same commit.
 * @throws PalliumError `bad_ref`, `base_unknown`.
 */
export async function reviewRange(
  git: Git,
  root: string,
  head: string | undefined,
  ref: string | undefined,
  begun: Promise<ReviewRange | undefined> | undefined,
): Promise<ReviewRange> {
  const known = await begun;
  if (known !== undefined && known.head === head) return known;
  return rangeFrom(git, root, head, await reviewBase(git, root, head, ref));
}

function rangeFrom(git: Git, cwd: string, head: string | undefined, base: ReviewBase): ReviewRange {
  const { commit } = base;
  if (commit === undefined) {
    return { head, base, committed: Promise.resolve([]), patch: undefined };
  }
  const committed = head === undefined ? Promise.resolve([]) : diffFiles(git, cwd, commit, head);
  const patch = readPatch(git, cwd, commit, false);
  // Whoever waits for them may not come to it.
  void Promise.allSettled([committed, patch]);
  return { head, base, committed, patch };
}
