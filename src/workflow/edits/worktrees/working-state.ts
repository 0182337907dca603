/** How the files of a working tree stood at one moment, to tell later what was changed. */
import { createLook, type FileKind, type FileLook } from "../../../platform/tree-files/look.ts";
import { SUBMODULE_MODE, type TreeEntry } from "../trees/tree.ts";

/** Of each path its look; `undefined` of one that was not there. */
export type WorkingState = ReadonlyMap<string, Pick<FileLook, "kind" | "stamp"> | undefined>;

/** After so many files others get their turn. */
const BATCH = 2000;
/** Clocks of file systems tick this often at least; changes in one tick have one stamp. */
const TICK_MS = 20;

/** Looks at each of the paths below `root`; what is written from then on has another stamp. */
export async function readWorkingState(
  root: string,
  paths: Iterable<string>,
): Promise<WorkingState> {
  const state = await lookAt(root, paths);
  let newest = 0;
  for (const look of state.values()) newest = Math.max(newest, look?.changedMs ?? 0);
  const age = Date.now() - newest;
  if (age >= 0 && age <= TICK_MS) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  return state;
}

/** The state of which no more is known than what was put there: every file may be another now. */
export function unknownState(entries: ReadonlyMap<string, TreeEntry>): WorkingState {
  const looks = [...entries].map(([path, { mode }]) => {
    const kind = mode === SUBMODULE_MODE ? "folder" : (mode as FileKind);
    return [path, { kind, stamp: "" }] as const;
  });
  return new Map(looks);
}

/** Paths whose files are others now, gone, or there when they were not. */
export async function changedSince(root: string, state: WorkingState): Promise<readonly string[]> {
  const now = await lookAt(root, state.keys());
  return [...state].flatMap(([path, look]) => (now.get(path)?.stamp === look?.stamp ? [] : [path]));
}

async function lookAt(
  root: string,
  paths: Iterable<string>,
): Promise<ReadonlyMap<string, FileLook | undefined>> {
  const look = createLook(root);
  const state = new Map<string, FileLook | undefined>();
  for (const path of paths) {
    state.set(path, look(path));
    if (state.size % BATCH === 0) await new Promise(setImmediate);
  }
  return state;
}
