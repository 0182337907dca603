/** What the folder of a run says of itself: folders of the runs of all stores lie beside each other. */
import { join } from "node:path";
import { isRecord, parseJson } from "../../lib/json.ts";
import { readTextFile, writeFileDurable } from "../../platform/files.ts";
import { ownIdentity, type ProcessIdentity } from "../../platform/process/identity.ts";

export interface RunNote {
  /** Absolute path of the store that has the records of the run. */
  readonly store: string;
  /** Who executed it last. */
  readonly owner: ProcessIdentity;
}

export const RUN_NOTE = "run.json";

/** Says that this process executes the run from now on. @throws PalliumError as `writeFileDurable`. */
export async function noteRun(directory: string, store: string): Promise<void> {
  const note: RunNote = { store, owner: ownIdentity() };
  await writeFileDurable(join(directory, RUN_NOTE), JSON.stringify(note));
}

/** @returns `undefined` for a folder without a note that can be read. */
export async function readRunNote(directory: string): Promise<RunNote | undefined> {
  const note = parseJson((await readTextFile(join(directory, RUN_NOTE))) ?? "");
  if (!isRecord(note) || typeof note.store !== "string" || !isRecord(note.owner)) return undefined;
  return note as unknown as RunNote;
}
