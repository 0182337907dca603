/** Notes of each session which repository it worked in, while its working tree is still there. */
import { PalliumError } from "../../lib/errors.ts";
import { originName } from "../../lib/origin-name.ts";
import { isDirectory } from "../../platform/files.ts";
import { type RepositoryPlaces, repositoryPlaces } from "../../platform/git/repository-places.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { SessionPowers, WorkflowCall } from "../powers.ts";

interface Unplaced {
  readonly key: number;
  readonly id: string;
  readonly cwd: string;
  /** As the transcript gives it; empty where it does not. */
  readonly git_origin_url: string;
}

type Place = Pick<RepositoryPlaces, "top" | "commonDir" | "originUrl">;

/**
 * Looks at where each session was that nobody looked at before, and once more where there was no repository
 * then and is one now.
 * @param workflowCalls tells of sessions whose working trees are gone with their workflows.
 */
export async function placeSessions(
  database: Database,
  workflowCalls: SessionPowers["workflowCalls"],
): Promise<void> {
  const look = memoised(placeOf);
  const unplaced = database.all<Unplaced>(
    `SELECT key, id, cwd, git_origin_url FROM sessions WHERE repository IS NULL
     UNION ALL
     SELECT key, id, cwd, git_origin_url FROM sessions
       WHERE cwd IN (SELECT value FROM json_each(?)) AND repository = ''`,
    JSON.stringify(await repositoriesSince(database, look)),
  );
  if (unplaced.length === 0) return;
  const places = new Map<number, Place | undefined>();
  for (const { key, cwd } of unplaced) places.set(key, await look(cwd));
  const lost = unplaced.filter(({ key }) => places.get(key) === undefined);
  const calls = await callsOf(workflowCalls, lost);
  const repositories = new Map(calls.map((call) => [call.session_id, call]));
  for (const { key, id, cwd } of lost) {
    const call = repositories.get(id);
    const place = call === undefined ? undefined : await look(call.repo);
    const tree = call?.worktree ?? "";
    const top = tree !== "" && `${cwd}/`.startsWith(`${tree}/`) ? tree : cwd;
    if (place !== undefined) places.set(key, { ...place, top });
  }
  await database.write((tx) => {
    for (const { key, git_origin_url } of unplaced) {
      const place = places.get(key);
      tx.run(
        `UPDATE sessions SET worktree = ?, repository = ?, origin = ?
         WHERE key = ? AND coalesce(repository, '') = ''`,
        place?.top ?? "",
        place?.commonDir ?? "",
        originName(git_origin_url || place?.originUrl || ""),
        key,
      );
    }
  });
}

/** Folders that are there, of sessions that were in no repository when somebody looked. */
async function repositoriesSince(
  database: Database,
  look: (folder: string) => Promise<Place | undefined>,
): Promise<readonly string[]> {
  const folders = database.all<{ cwd: string }>(
    "SELECT DISTINCT cwd FROM sessions WHERE repository = ''",
  );
  const found: string[] = [];
  for (const { cwd } of folders) {
    if ((await isFolder(cwd)) && (await look(cwd)) !== undefined) found.push(cwd);
  }
  return found;
}

/** Where runs cannot be read, nobody knows where their agents were. */
async function callsOf(
  workflowCalls: SessionPowers["workflowCalls"],
  sessions: readonly Unplaced[],
): Promise<readonly WorkflowCall[]> {
  if (workflowCalls === undefined || sessions.length === 0) return [];
  try {
    return await workflowCalls(sessions.map(({ id }) => id));
  } catch (error) {
    if (error instanceof PalliumError) return [];
    throw error;
  }
}

function memoised(
  look: (folder: string) => Promise<Place | undefined>,
): (folder: string) => Promise<Place | undefined> {
  const known = new Map<string, Promise<Place | undefined>>();
  return (folder) => {
    const found = known.get(folder) ?? look(folder);
    known.set(folder, found);
    return found;
  };
}

function isFolder(path: string): Promise<boolean | undefined> {
  return unlessClosed(path, isDirectory);
}

function placeOf(folder: string): Promise<RepositoryPlaces | undefined> {
  return unlessClosed(folder, repositoryPlaces);
}

/** What cannot be looked at counts as not there. */
async function unlessClosed<T>(
  folder: string,
  look: (folder: string) => Promise<T>,
): Promise<T | undefined> {
  if (!folder.startsWith("/")) return undefined;
  try {
    return await look(folder);
  } catch (error) {
    if (error instanceof PalliumError) return undefined;
    throw error;
  }
}
