/** Brings to an end what a process that is gone left of a run it was removing. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { realPathOfParent } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { isRealFolder } from "../../platform/tree-files/look.ts";
import { forgetWorktrees } from "../edits/worktrees/worktree.ts";
import { removeRunFolder } from "../gc/collect-run.ts";
import type { WorkflowPowers } from "../powers.ts";
import { acquireLease, type Lease, leaseHolder, releaseLease } from "../run/lease.ts";
import { forgetRemoval, type Removal, readRemovals } from "../run/removals.ts";
import { readRunNote } from "../run/run-note.ts";

type Powers = Pick<WorkflowPowers, "clock" | "runsDirectory">;

/**
 * Removes the files of runs whose rows are gone; a run whose rows are there stays as it is. What a
 * living process is about is left to it.
 * @param warn is told what could not be brought to an end; the next command tries again.
 */
export async function finishRemovals(
  powers: Powers,
  database: Database,
  warn: (line: string) => void,
): Promise<void> {
  for (const { runId } of readRemovals(database)) {
    try {
      await finishOne(powers, database, runId);
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      warn(`files of the deleted run ${runId} are still there: ${error.message}`);
    }
  }
}

async function finishOne(powers: Powers, database: Database, runId: string): Promise<void> {
  const held = await database.write((tx) => {
    const removal = readRemovals(tx).find((one) => one.runId === runId);
    if (removal === undefined || leaseHolder(tx, runId, powers.clock) !== undefined) return;
    return { removal, lease: acquireLease(tx, runId, powers.clock) };
  });
  if (held === undefined) return;
  try {
    if (held.removal.rowsGone) await removeFiles(powers, database, held.removal);
  } catch (error) {
    await database.write((tx) => releaseLease(tx, held.lease));
    throw error;
  }
  await endRemoval(database, held.lease);
}

/** Nothing of the run is left, or all of it. */
export function endRemoval(database: Database, lease: Lease): Promise<void> {
  return database.write((tx) => {
    forgetRemoval(tx, lease.runId);
    releaseLease(tx, lease);
  });
}

/**
 * Removes the folder of a run and what git knows of its working trees. A folder that another store has
 * on record is not the run's.
 * @returns the folder, absolute, and the bytes of its files; 0 where there is none.
 * @throws PalliumError `permission_denied`, `io_failed`
 */
export async function removeFiles(
  { runsDirectory }: Pick<Powers, "runsDirectory">,
  { path: store }: Pick<Database, "path">,
  { runId, repositories }: Removal,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = join(runsDirectory, runId);
  const note = await readRunNote(path);
  const isOurs = note === undefined || note.store === store;
  if (!isRealFolder(path) || !isOurs) return { path, bytes: 0 };
  const bytes = await folderSize(path);
  const folder = await realPathOfParent(path);
  for (const commonDir of repositories) await forgetWorktrees(commonDir, folder);
  await removeRunFolder(folder);
  return { path, bytes };
}
