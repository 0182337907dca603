/** Takes a change back of which some files are done. */
import { makeFolder } from "../../../platform/tree-files/place.ts";
import { lostContents } from "../trees/place-files.ts";
import type { TreeEntry } from "../trees/tree.ts";
import { holds, readNow } from "./read-now.ts";
import { inverted } from "./revert-plan.ts";
import {
  type NumberedStep,
  pathsOf,
  removeStaged,
  type StepWriter,
  writeSteps,
} from "./write-steps.ts";

/** How the files of a change stand. */
export interface Standing {
  /** Files that are as they were. */
  readonly before: readonly NumberedStep[];
  /** Files that are as they are to be. */
  readonly after: readonly NumberedStep[];
  /** Files that match neither. */
  readonly neither: readonly NumberedStep[];
}

/** Looks at the files of a change; one that it does not change counts as done. */
export async function standingOf(
  { store, root }: StepWriter,
  steps: readonly NumberedStep[],
): Promise<Standing> {
  const expected = steps.flatMap(({ path, before, after }): [string, TreeEntry][] => {
    const entry = before ?? after;
    return entry === undefined ? [] : [[path, entry]];
  });
  const now = await readNow(store, root, pathsOf(steps), new Map(expected));
  const standing = Object.groupBy(steps, ({ path, before, after }) => {
    const found = now.get(path);
    if (holds(found, after)) return "after";
    return holds(found, before) ? "before" : "neither";
  });
  return { before: [], after: [], neither: [], ...standing };
}

/**
 * Brings back every file that is done. What else somebody wrote meanwhile is left alone, and so is a
 * file whose earlier content is lost.
 * @param folders that were there before.
 * @returns the paths left alone.
 * @throws those of `writeSteps`.
 */
export async function undoSteps(
  writer: StepWriter,
  steps: readonly NumberedStep[],
  folders: readonly string[],
): Promise<readonly string[]> {
  await removeStaged(writer, steps);
  const { after, neither } = await standingOf(writer, steps);
  const back = after.map((step) => ({ ...inverted(step), ordinal: step.ordinal }));
  const placed = back.flatMap(({ path, after: entry }) => (entry ? [{ path, after: entry }] : []));
  const lost = new Set(pathsOf(await lostContents(writer.store, placed)));
  await writeSteps(
    writer,
    back.filter(({ path }) => !lost.has(path)),
  );
  for (const folder of folders) await makeFolder(writer.root, folder);
  return [...pathsOf(neither), ...lost];
}
