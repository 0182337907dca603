/** How the files of a working tree stood at one moment, to tell later what was changed. */
import { createLook, type FileLook } from "../../platform/tree-files/look.ts";

/** Of each path that was there, its look. */
export type WorkingState = ReadonlyMap<string, FileLook>;

/** After so many files others get their turn. */
const BATCH = 2000;

/** Looks at each of the paths below `root`. */
export async function readWorkingState(
  root: string,
  paths: Iterable<string>,
): Promise<WorkingState> {
  const look = createLook(root);
  const state = new Map<string, FileLook>();
  let looked = 0;
  for (const path of paths) {
    const found = look(path);
    if (found !== undefined) state.set(path, found);
    looked += 1;
    if (looked % BATCH === 0) await new Promise(setImmediate);
  }
  return state;
}

/** Paths that were there and whose files are others now, or gone. */
export async function changedSince(root: string, state: WorkingState): Promise<readonly string[]> {
  const now = await readWorkingState(root, state.keys());
  return [...state].flatMap(([path, { stamp }]) => (now.get(path)?.stamp === stamp ? [] : [path]));
}
