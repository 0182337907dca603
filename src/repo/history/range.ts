/** Asks git what is checked out, and which commits lie in between. */
import { PalliumError } from "../../lib/errors.ts";
import type { Git } from "../../platform/git/runner.ts";

/** What is checked out. */
export interface Head {
  readonly commit: string;
  /** `HEAD` when none is. */
  readonly branch: string;
}

/** @throws PalliumError `no_commits`. */
export async function checkedOut(git: Git, root: string): Promise<Head> {
  const [commit, branch] = await Promise.all([git.headCommit(root), branchOf(git, root)]);
  if (commit !== undefined) return { commit, branch };
  throw new PalliumError("no_commits", "the repository has no commits yet", {
    hints: ["make a first commit, then run: pallium index"],
  });
}

/** The checked-out branch; `HEAD` when none is. */
async function branchOf(git: Git, root: string): Promise<string> {
  const args = ["symbolic-ref", "--quiet", "--short", "HEAD"];
  const { stdout } = await git.run(args, { cwd: root, okCodes: [0, 1] });
  return stdout.trim() || "HEAD";
}

/** From one commit to another. */
export interface Range {
  readonly from: string;
  /** Whether there is a merge on either side, so that branches lie beside one another. */
  readonly hasMerges: boolean;
  /** From the newest to the oldest. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Those of `added` that are no merges. */
  readonly addedChanges: readonly string[];
}

/** How many commits lie on both sides. */
export function sizeOf({ added, removed }: Range): number {
  return added.length + removed.length;
}

/**
 * The commits between two, no more than `most` of both sides together; `undefined` when the older
 * one is no longer there.
 */
export async function between(
  git: Git,
  root: string,
  { from, to, most }: { readonly from: string; readonly to: string; readonly most: number },
): Promise<Range | undefined> {
  const limit = `--max-count=${most}`;
  const order = ["--topo-order", "--left-right", "--parents"];
  const args = ["rev-list", ...order, limit, `${from}...${to}`];
  const { exitCode, stdout } = await git.run(args, { cwd: root, okCodes: [0, 128] });
  if (exitCode !== 0) return undefined;
  const lines = stdout.split("\n").map((line) => line.split(" "));
  const of = (side: string, ofAny: readonly (readonly string[])[]) =>
    ofAny.flatMap(([hash = ""]) => (hash[0] === side ? [hash.slice(1)] : []));
  const changes = lines.filter(([, , secondParent]) => secondParent === undefined);
  return {
    from,
    hasMerges: changes.length < lines.length,
    removed: of("<", lines),
    added: of(">", lines),
    addedChanges: of(">", changes),
  };
}

/**
 * How many commits some revisions name, counted no further than `most`; 0 as well where one of them is
 * not there, as in a shallow clone.
 */
export async function countUpTo(
  git: Git,
  root: string,
  revisions: readonly string[],
  most: number,
): Promise<number> {
  const args = ["rev-list", "--count", `--max-count=${most}`, ...revisions];
  const { stdout } = await git.run(args, { cwd: root, okCodes: [0, 128] });
  return Number(stdout);
}
