import { join } from "node:path";
import { listDirectories } from "../../platform/files.ts";
import { type RunNote, readRunNote } from "../run/run-note.ts";
import type { RunFolder } from "./collect-run.ts";

/** The folder of a run, and what it says of itself. */
export interface NotedFolder extends RunFolder {
  readonly note: RunNote;
}

/** Folders of runs that another store has on record. */
export interface OtherStore {
  /** Absolute path. */
  readonly path: string;
  readonly folders: readonly NotedFolder[];
}

export interface FoldersByStore {
  /** Those that say nothing too: a record of the same name decides. */
  readonly own: readonly RunFolder[];
  readonly others: readonly OtherStore[];
}

/**
 * Folders are looked for by name, never taken from a record: nothing else is ever removed.
 * @param store absolute path of the one whose runs are one's own.
 */
export async function foldersByStore(
  runsDirectory: string,
  store: string,
): Promise<FoldersByStore> {
  const own: RunFolder[] = [];
  const others = new Map<string, NotedFolder[]>();
  for (const id of [...(await listDirectories(runsDirectory))].sort()) {
    const folder = { id, path: join(runsDirectory, id) };
    const note = await readRunNote(folder.path);
    if (note === undefined || note.store === store) own.push(folder);
    else others.set(note.store, [...(others.get(note.store) ?? []), { ...folder, note }]);
  }
  return { own, others: [...others].map(([path, folders]) => ({ path, folders })) };
}
