/** What happened after a commit: the truth that answers are held against. */
import type { Git } from "../../platform/git/runner.ts";
import { isFix, subjectOf } from "../history/commit-facts.ts";
import { readLog } from "../history/read-log.ts";
import type { Past, Stop } from "./past.ts";

export interface LaterCommit {
  readonly isFix: boolean;
  /** How many files it touched. */
  readonly size: number;
  /** Those of them that were there before it, by the names they had. */
  readonly files: readonly string[];
}

/** The newest commits of the main line, from the oldest. */
export async function mainLine(git: Git, root: string, most: number): Promise<readonly Stop[]> {
  const args = ["log", "--first-parent", "--format=%H %ct", `--max-count=${most}`, "HEAD", "--"];
  const { stdout } = await git.run(args, { cwd: root });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [hash = "", time = ""] = line.split(" ");
      return { hash, committedAt: Number(time) };
    })
    .reverse();
}

/** Commits that the one has and the other has not, merges left out. */
export async function commitsBetween(
  git: Git,
  past: Past,
  from: Stop,
  to: Stop,
): Promise<readonly LaterCommit[]> {
  const commits: LaterCommit[] = [];
  await readLog(git, past.repository, {
    revisions: ["--reverse", to.hash, `^${from.hash}`],
    exactRenames: past.exactRenames,
    onCommit({ message, changes }) {
      const before = changes.filter(({ status }) => status !== "A");
      commits.push({
        isFix: isFix(subjectOf(message)),
        size: changes.length,
        files: before.map(({ path, oldPath }) => oldPath ?? path),
      });
    },
  });
  return commits;
}
