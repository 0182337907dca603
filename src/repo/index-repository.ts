import { prepareDataFolder } from "./data-folder.ts";
import { beginFiles } from "./files/write-files.ts";
import { type IndexOutcome, indexHistory } from "./history/index-history.ts";
import type { FileCommits, IndexOptions, IndexPowers } from "./history/write-index.ts";
import type { Repository } from "./identity.ts";

/**
 * Brings all that is derived of a repository up to date with its checked-out commit.
 * @throws as `indexHistory`.
 */
export async function indexRepository(
  powers: IndexPowers,
  repository: Repository,
  options: Omit<IndexOptions, "files"> = {},
): Promise<IndexOutcome> {
  await prepareDataFolder(repository.dataFolder);
  const files = {
    begin: (commits: FileCommits) => beginFiles(powers.git, repository.root, commits),
  };
  return indexHistory(powers, repository, { ...options, files });
}
