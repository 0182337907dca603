/** Notes of each session which repository it worked in, while its working tree is still there. */
import { PalliumError } from "../../lib/errors.ts";
import { originName } from "../../lib/origin-name.ts";
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
 * Looks once at where each session was that nobody looked at before.
 * @param workflowCalls tells of sessions whose working trees are gone with their workflows.
 */
export async function placeSessions(
  database: Database,
  workflowCalls: SessionPowers["workflowCalls"],
): Promise<void> {
  const unplaced = database.all<Unplaced>(
    "SELECT key, id, cwd, git_origin_url FROM sessions WHERE repository IS NULL",
  );
  if (unplaced.length === 0) return;
  const look = memoised(placeOf);
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
         WHERE key = ? AND repository IS NULL`,
        place?.top ?? "",
        place?.commonDir ?? "",
        originName(git_origin_url || place?.originUrl || ""),
        key,
      );
    }
  });
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
