/**
 * Writes many files so that what can fail fails early: all contents are first written under other
 * names, then what goes is removed, then each file is moved to its place.
 */
import { PalliumError } from "../../../lib/errors.ts";
import { pathIn } from "../../../lib/git-path.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import { createLook, type FileMode } from "../../../platform/tree-files/look.ts";
import {
  type FileContent,
  moveFile,
  removeFile,
  stageFile,
} from "../../../platform/tree-files/place.ts";
import { syncFolder } from "../../../platform/tree-files/sync.ts";
import { eachContent } from "../trees/place-files.ts";
import type { TreeEntry } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { deepestFolder, foldersAbove } from "./obstacles.ts";
import type { Step } from "./plan-steps.ts";
import { holds, isNoFile, type Now, readNow } from "./read-now.ts";

/** What is done to the files of a checkout, one at a time. */
export interface CheckoutFiles {
  stage(
    root: string,
    temporary: string,
    target: { readonly path: string; readonly mode: FileMode },
    content: FileContent,
  ): Promise<void>;
  move(root: string, temporary: string, path: string): Promise<void>;
  remove(root: string, path: string): Promise<void>;
}

/** A step of a change, by its number in it. */
export interface NumberedStep extends Step {
  readonly ordinal: number;
}

export interface StepWriter {
  readonly store: TreeStore;
  readonly files: CheckoutFiles;
  /** Absolute top of the checkout. */
  readonly root: string;
  /** Id of the change, which is part of the other names. */
  readonly id: string;
  /** Called before the first file is touched. @throws when it must not be. */
  readonly check: () => void;
}

export const CHECKOUT_FILES: CheckoutFiles = {
  stage: (root, temporary, target, content) =>
    stageFile(root, temporary, { ...target, durable: true }, content),
  move: moveFile,
  remove: removeFile,
};

/**
 * Brings each path from `before` to `after`. Every file is looked at again right before it is
 * touched.
 * @throws PalliumError `edits_raced` when somebody changed one meanwhile; `edit_objects_lost`,
 *   `path_outside`, `disk_full`, `permission_denied`, `io_failed`. Some files may be done then.
 */
export async function writeSteps(
  writer: StepWriter,
  steps: readonly NumberedStep[],
): Promise<void> {
  const { store, files, root, check } = writer;
  const now = await readNow(store, root, pathsOf(steps), entriesBefore(steps));
  const raced = steps.filter(({ path, before }) => !holds(now.get(path), before));
  if (raced.length > 0) throw changedMeanwhile(pathsOf(raced));
  const staged = await stageAll(writer, steps);
  check();
  for (const step of steps) {
    if (step.after !== undefined) continue;
    await assertUnchanged(writer, step, now.get(step.path));
    await files.remove(root, step.path);
  }
  for (const step of steps) {
    const temporary = staged.get(step.path);
    if (temporary === undefined) continue;
    await assertUnchanged(writer, step, now.get(step.path));
    await files.move(root, temporary, step.path);
  }
  await syncFolders(root, steps);
}

/** @returns of each path that is to hold something, the name under which that waits. */
async function stageAll(
  { store, files, root, id }: StepWriter,
  steps: readonly NumberedStep[],
): Promise<ReadonlyMap<string, string>> {
  const look = createLook(root);
  const staged = new Map<string, string>();
  const placed = steps.flatMap(({ path, after, ordinal }) =>
    after === undefined ? [] : [{ path, after, ordinal }],
  );
  await eachContent(store, placed, async ({ path, mode, ordinal }, content) => {
    const temporary = pathIn(deepestFolder(look, path), stagedName(id, ordinal));
    await files.stage(root, temporary, { path, mode }, content);
    staged.set(path, temporary);
  });
  return staged;
}

function stagedName(id: string, ordinal: number): string {
  return `.pallium-${id}-${ordinal}.tmp`;
}

/** Removes what waits under other names, in whichever folder it was put. */
export async function removeStaged(
  { files, root, id }: StepWriter,
  steps: readonly NumberedStep[],
): Promise<void> {
  const look = createLook(root);
  for (const { path, ordinal } of steps) {
    for (const folder of ["", ...foldersAbove(path)]) {
      const staged = pathIn(folder, stagedName(id, ordinal));
      if (look(staged) !== undefined) await files.remove(root, staged);
    }
  }
}

/** A file whose stamp is another one may still hold the same: another name of it was removed. */
async function assertUnchanged(
  { store, root }: StepWriter,
  step: NumberedStep,
  then: Now | undefined,
): Promise<void> {
  const found = createLook(root)(step.path);
  if (isNoFile(found) ? isNoFile(then) : found?.stamp === then?.stamp) return;
  const now = await readNow(store, root, [step.path], entriesBefore([step]));
  if (!holds(now.get(step.path), step.before)) throw changedMeanwhile([step.path]);
}

async function syncFolders(root: string, steps: readonly NumberedStep[]): Promise<void> {
  const folders = new Set(["", ...steps.flatMap(({ path }) => foldersAbove(path))]);
  for (const folder of folders) await syncFolder(root, folder);
}

export function pathsOf(steps: readonly Pick<Step, "path">[]): readonly string[] {
  return steps.map(({ path }) => path);
}

function entriesBefore(steps: readonly Step[]): ReadonlyMap<string, TreeEntry> {
  return new Map(steps.flatMap(({ path, before }) => (before ? [[path, before]] : [])));
}

function changedMeanwhile(paths: readonly string[]): PalliumError {
  return new PalliumError(
    "edits_raced",
    `somebody changed files while they were being edited: ${paths.map(visibleName).join(", ")}`,
    { hints: ["let nobody else write there, and try again"] },
  );
}
