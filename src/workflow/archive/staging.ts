/** Where an import is unpacked: a folder beside those of runs that no run can be taken for. */
import { join } from "node:path";
import { isRecord, parseJson } from "../../lib/json.ts";
import {
  ensurePrivateDir,
  listDirectories,
  readTextFile,
  writeFileDurable,
} from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import type { Ids } from "../../platform/ids.ts";
import { isAlive, ownIdentity, type ProcessIdentity } from "../../platform/process/identity.ts";
import { removeFolder } from "../../platform/remove-folder.ts";
import { createLook } from "../../platform/tree-files/look.ts";

const PREFIX = ".import-";
const STAGING = /^\.import-[0-9a-z]{22}$/;
/** Says whose it is. */
const NOTE = "import.json";
/** Nobody takes so long from making the folder to saying whose it is. */
const UNCLAIMED_MS = 60_000;

export interface Staging {
  /** Absolute; the folder of the run is made in it. */
  readonly files: string;
  readonly rows: string;
  readonly texts: string;
  remove(): Promise<void>;
}

/** @throws PalliumError `disk_full`, `permission_denied`, `io_failed` */
export async function makeStaging(runsDirectory: string, ids: Ids): Promise<Staging> {
  const folder = join(runsDirectory, ids.next(PREFIX.slice(0, -1)));
  await ensurePrivateDir(folder);
  await writeFileDurable(join(folder, NOTE), JSON.stringify({ owner: ownIdentity() }));
  const staging = {
    files: join(folder, "files"),
    rows: join(folder, "rows"),
    texts: join(folder, "texts"),
    remove: () => removeFolder(folder),
  };
  for (const path of [staging.files, staging.rows, staging.texts]) await ensurePrivateDir(path);
  return staging;
}

export interface LeftStaging {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/** Removes, or only measures, what imports left that were killed on the way. */
export async function sweepStaging(
  runsDirectory: string,
  now: Date,
  isDryRun = false,
): Promise<readonly LeftStaging[]> {
  const left: LeftStaging[] = [];
  const look = createLook(runsDirectory);
  for (const id of await listDirectories(runsDirectory)) {
    if (!STAGING.test(id)) continue;
    const path = join(runsDirectory, id);
    const owner = await ownerOf(path);
    const age = now.getTime() - (look(id)?.changedMs ?? 0);
    if (owner === undefined ? age < UNCLAIMED_MS : isAlive(owner) !== false) continue;
    left.push({ id, path, bytes: await folderSize(path) });
    if (!isDryRun) await removeFolder(path);
  }
  return left;
}

async function ownerOf(folder: string): Promise<ProcessIdentity | undefined> {
  const note = parseJson((await readTextFile(join(folder, NOTE))) ?? "");
  if (!isRecord(note) || !isRecord(note.owner)) return undefined;
  return note.owner as unknown as ProcessIdentity;
}
