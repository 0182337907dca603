/** All repositories of a run whose checkouts are to change, and what is on record of them. */
import { commonDirAround } from "../../platform/git/common-dir.ts";
import { type EditContext, type EditRepo, openEditRepo } from "./edit-repos.ts";
import { type RepoRecord, readRepoRecords } from "./records.ts";
import { recoverEdits } from "./recover-edits.ts";

/**
 * Takes hold of the repositories that are wanted. What a process left half-way in any of the run's is
 * brought to an end before it is asked which are, and what another one did before they were held counts.
 * @throws those of `openEditRepo`
 */
export async function openEditRepos(
  context: EditContext,
  isWanted: (record: RepoRecord) => boolean,
): Promise<readonly EditRepo[]> {
  const { database, runId } = context;
  for (const { base } of readRepoRecords(database, runId)) await recoverAt(context, base.root);
  const repos: EditRepo[] = [];
  for (const record of readRepoRecords(database, runId)) {
    if (isWanted(record)) repos.push(await openEditRepo(context, record));
  }
  const records = readRepoRecords(database, runId).filter(isWanted);
  return repos.flatMap((repo) => {
    const record = records.find(({ base }) => base.root === repo.place.root);
    return record === undefined ? [] : [{ ...repo, record }];
  });
}

async function recoverAt({ powers, runId, warn }: EditContext, root: string): Promise<void> {
  const commonDir = await commonDirAround(root);
  if (commonDir !== undefined) await recoverEdits(powers, commonDir, runId, warn);
}
