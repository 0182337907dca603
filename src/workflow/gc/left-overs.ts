/** Working trees that runs left whose files stay: a resume comes back to those of unsettled calls only. */
import { join } from "node:path";
import { listDirectories, realPathOfParent } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { removeFolder } from "../../platform/remove-folder.ts";
import { isRealFolder } from "../../platform/tree-files/look.ts";
import { isLoop } from "../calls/loop-place.ts";
import { isView } from "../edits/views.ts";
import { forgetWorktrees } from "../edits/worktrees/worktree.ts";
import { acquireLease, leaseHolder, releaseLease } from "../run/lease.ts";
import { readOpenCalls } from "../run/resume-state.ts";
import { findRun } from "../run/store.ts";
import type { CollectContext, RemovedFolder, RunFolder } from "./collect-run.ts";
import { mayHaveLeftOvers } from "./rule.ts";
import { repositoriesOf } from "./run-repositories.ts";

/**
 * Removes them, and has git forget them; nobody executes the run meanwhile.
 * @throws PalliumError `permission_denied`, `io_failed`; the next collection goes on.
 */
export async function removeLeftOvers(
  { powers: { clock }, database, rule }: CollectContext,
  folder: RunFolder,
): Promise<readonly RemovedFolder[]> {
  const { id } = folder;
  const held = await database.write((tx) => {
    const run = findRun(tx, id);
    if (run === undefined || !mayHaveLeftOvers(run, rule)) return undefined;
    if (leaseHolder(tx, id, clock) !== undefined) return undefined;
    return { run, lease: acquireLease(tx, id, clock) };
  });
  if (held === undefined) return [];
  try {
    const removed: RemovedFolder[] = [];
    const repositories = await repositoriesOf(database, held.run);
    for (const path of await leftOversOf({ database }, folder)) {
      const bytes = await folderSize(path);
      const real = await realPathOfParent(path);
      for (const commonDir of repositories) await forgetWorktrees(commonDir, real);
      await removeFolder(real);
      removed.push({ id, path, bytes });
    }
    return removed;
  } finally {
    await database.write((tx) => releaseLease(tx, held.lease));
  }
}

/** Absolute paths of working trees that nobody comes back to. */
export async function leftOversOf(
  { database }: Pick<CollectContext, "database">,
  { id, path }: RunFolder,
): Promise<readonly string[]> {
  const folder = join(path, "worktrees");
  if (!isRealFolder(folder)) return [];
  const open = readOpenCalls(database, id).map(({ callId }) => callId);
  // An unsettled call may have been in a tree that it shared.
  const mayBeShared = (name: string) => isView(name) || isLoop(name);
  return (await listDirectories(folder))
    .filter((name) => open.length === 0 || !(open.includes(name) || mayBeShared(name)))
    .map((name) => join(folder, name));
}
