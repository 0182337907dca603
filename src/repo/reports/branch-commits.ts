/** The commits that a branch adds to where it began. */
import { isoTime } from "../../lib/iso-time.ts";
import type { LogCommit } from "../history/log-parser.ts";
import { isMissingObject, readLog } from "../history/read-log.ts";
import type { ReportContext } from "./context.ts";
import type { BranchCommit } from "./shapes.ts";

/** Of a longer branch the latest so many commits are told. */
const MOST_COMMITS = 50;
/** Lines that say who had a part, not why. */
const TRAILER =
  /^(?:co-authored|signed-off|reviewed|acked|tested|reported|helped|mentored|suggested|approved)-by:|^(?:change-id|cc|pr-url|reviewed-on):/i;

/** From the oldest to the newest, merges left out. @param from where it began; absent for the whole history. */
export async function branchCommits(
  context: ReportContext,
  from: string | undefined,
): Promise<readonly BranchCommit[]> {
  const head = context.freshness.current_commit;
  if (head === "") return [];
  const revisions = [
    `--max-count=${MOST_COMMITS}`,
    head,
    ...(from === undefined ? [] : [`^${from}`]),
  ];
  return (await readCommits(context, revisions)).reverse().map(branchCommit);
}

async function readCommits(
  { git, repository }: ReportContext,
  revisions: readonly string[],
): Promise<LogCommit[]> {
  const read = async (exactRenames: boolean) => {
    const commits: LogCommit[] = [];
    const onCommit = (commit: LogCommit) => void commits.push(commit);
    await readLog(git, repository, { revisions, exactRenames, onCommit });
    return commits;
  };
  try {
    return await read(false);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return read(true);
  }
}

function branchCommit({ hash, name, committedAt, message, changes }: LogCommit): BranchCommit {
  const [subject = "", ...rest] = message.trim().split("\n");
  return {
    sha: hash,
    subject: subject.trim(),
    committed_at: isoTime(committedAt),
    author: name,
    body: rest
      .filter((line) => !TRAILER.test(line))
      .join("\n")
      .trim(),
    files: changes.map(({ path }) => path),
  };
}
