/** Notes of each session which repository it worked in, while its working tree is still there. */
import { PalliumError } from "../../lib/errors.ts";
import { originName } from "../../lib/origin-name.ts";
import { type RepositoryPlaces, repositoryPlaces } from "../../platform/git/repository-places.ts";
import type { Database } from "../../platform/sqlite/database.ts";

interface Unplaced {
  readonly cwd: string;
  /** As the transcript gives it; empty where it does not. */
  readonly git_origin_url: string;
}

/** Looks once at each folder that nobody looked at before. */
export async function placeSessions(database: Database): Promise<void> {
  const unplaced = database.all<Unplaced>(
    "SELECT DISTINCT cwd, git_origin_url FROM sessions WHERE repository IS NULL",
  );
  if (unplaced.length === 0) return;
  const folders = new Set(unplaced.map(({ cwd }) => cwd));
  const places = new Map<string, RepositoryPlaces | undefined>();
  for (const folder of folders) places.set(folder, await placeOf(folder));
  await database.write((tx) => {
    for (const { cwd, git_origin_url } of unplaced) {
      const place = places.get(cwd);
      tx.run(
        `UPDATE sessions SET worktree = ?, repository = ?, origin = ?
         WHERE repository IS NULL AND cwd = ? AND git_origin_url = ?`,
        place?.top ?? "",
        place?.commonDir ?? "",
        originName(git_origin_url || place?.originUrl || ""),
        cwd,
        git_origin_url,
      );
    }
  });
}

/** What cannot be looked at counts as no repository. */
async function placeOf(folder: string): Promise<RepositoryPlaces | undefined> {
  if (!folder.startsWith("/")) return undefined;
  try {
    return await repositoryPlaces(folder);
  } catch (error) {
    if (error instanceof PalliumError) return undefined;
    throw error;
  }
}
