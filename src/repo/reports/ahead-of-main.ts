/** How far the checked-out commit is ahead of the main branch. */
import { countUpTo } from "../history/range.ts";
import type { ReportContext } from "./context.ts";

/** What the main branch is called where no remote says it. */
const USUAL_NAMES = ["main", "master", "trunk"];
const REMOTE_HEAD = "refs/remotes/origin/HEAD";
/** Commits are counted no further: the two may have little history in common. */
const MOST_COUNTED = 1000;

export interface MainBranch {
  /** As a user names it: `main`, `origin/main`. */
  readonly name: string;
  readonly commit: string;
}

export interface AheadOf {
  readonly branch: string;
  /** How many commits the branch lacks, more than one. */
  readonly commits: number;
}

/**
 * The main branches of a repository, here and of the remote, without the one that is checked out;
 * of those at the same commit the local one.
 */
export async function mainBranches({
  git,
  repository,
  freshness,
}: ReportContext): Promise<readonly MainBranch[]> {
  const patterns = USUAL_NAMES.flatMap((name) => [
    `refs/heads/${name}`,
    `refs/remotes/origin/${name}`,
  ]);
  const format = "--format=%(refname) %(objectname) %(symref)";
  const args = ["for-each-ref", format, ...patterns, REMOTE_HEAD];
  const { stdout } = await git.run(args, { cwd: repository.root });
  const rows = stdout.split("\n").map((line) => line.split(" "));
  const said = nameOf(rows.find(([ref]) => ref === REMOTE_HEAD)?.[2] ?? "");
  const found = new Map<string, MainBranch>();
  for (const [ref = "", commit = "", target = ""] of rows) {
    const name = nameOf(ref === REMOTE_HEAD ? target : ref);
    const isSaid = said === "" || name === said || `origin/${name}` === said;
    if (name === "" || !isSaid || name === freshness.current_branch) continue;
    if (!found.has(commit)) found.set(commit, { name, commit });
  }
  return [...found.values()];
}

function nameOf(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, "");
}

/**
 * The nearest of some branches that lacks more than the checked-out commit; `undefined` where
 * there is none. Git is only asked where the hashes do not tell.
 * @param parent hash of the commit before the checked-out one, where it is known.
 */
export async function aheadOf(
  branches: readonly MainBranch[],
  { git, repository, freshness: { current_commit: head } }: ReportContext,
  parent?: string,
): Promise<AheadOf | undefined> {
  if (branches.some(({ commit }) => commit === head || commit === parent)) return undefined;
  const lacking = await Promise.all(
    branches.map(async ({ name, commit }) => ({
      branch: name,
      commits: await countUpTo(git, repository.root, [head, `^${commit}`], MOST_COUNTED),
    })),
  );
  const [nearest] = lacking.sort((a, b) => a.commits - b.commits);
  return nearest !== undefined && nearest.commits > 1 ? nearest : undefined;
}

/** Such as `3 commits ahead of main`. */
export function aheadText({ branch, commits }: AheadOf): string {
  const more = commits === MOST_COUNTED ? " or more" : "";
  return `${commits}${more} commits ahead of ${branch}`;
}
