/**
 * What runs left whose files stay: working trees, where a resume comes back to those of unsettled calls
 * only, and folders of work that was cut short.
 */
import { join, relative } from "node:path";
import { listDirectories, realPathOfParent } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { removeFolder } from "../../platform/remove-folder.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import { createLook, isRealFolder } from "../../platform/tree-files/look.ts";
import { isLoop } from "../calls/loop-place.ts";
import { listTemporary } from "../edits/trees/tree-store.ts";
import { isView } from "../edits/views.ts";
import { forgetWorktrees } from "../edits/worktrees/worktree.ts";
import { readOpenCalls } from "../run/resume-state.ts";
import type { RunRow } from "../run/store.ts";
import {
  type CollectContext,
  type RemovedFolder,
  type RunFolder,
  withIdleRun,
} from "./collect-run.ts";
import { type CollectRule, mayHaveLeftOvers } from "./rule.ts";
import { repositoriesOf } from "./run-repositories.ts";

/**
 * Removes them, and has git forget them; nobody executes the run meanwhile.
 * @throws PalliumError `permission_denied`, `io_failed`; the next collection goes on.
 */
export async function removeLeftOvers(
  context: CollectContext,
  folder: RunFolder,
): Promise<readonly RemovedFolder[]> {
  const { id } = folder;
  const removed = await withIdleRun(context, id, mayLoseThem, async (run) => {
    const repositories = await repositoriesOf(context.database, run);
    const gone: RemovedFolder[] = [];
    for (const path of await leftOversOf(context, folder)) {
      const bytes = await folderSize(path);
      const real = await realPathOfParent(path);
      for (const commonDir of repositories) await forgetWorktrees(commonDir, real);
      await removeFolder(real);
      gone.push({ id, path, bytes });
    }
    return gone;
  });
  return removed ?? [];
}

function mayLoseThem(_tx: Transaction, run: RunRow, { rule }: CollectContext): boolean {
  return mayHaveLeftOvers(run, rule);
}

/** Absolute paths of folders that nobody comes back to. */
export async function leftOversOf(
  { database, rule }: Pick<CollectContext, "database" | "rule">,
  { id, path }: RunFolder,
): Promise<readonly string[]> {
  const open = readOpenCalls(database, id).map(({ callId }) => callId);
  return [...(await treesOf(path, open)), ...(await unfinishedIn(path, rule))];
}

async function treesOf(path: string, open: readonly string[]): Promise<readonly string[]> {
  const folder = join(path, "worktrees");
  if (!isRealFolder(folder)) return [];
  // An unsettled call may have been in a tree that it shared.
  const mayBeShared = (name: string) => isView(name) || isLoop(name);
  return (await listDirectories(folder))
    .filter((name) => open.length === 0 || !(open.includes(name) || mayBeShared(name)))
    .map((name) => join(folder, name));
}

/** Folders of pieces of work whose process died; who applies or looks at edits has some for a moment. */
async function unfinishedIn(
  path: string,
  { endedBefore }: CollectRule,
): Promise<readonly string[]> {
  const folder = join(path, "objects");
  if (!isRealFolder(folder)) return [];
  const look = createLook(folder);
  const found: string[] = [];
  for (const name of await listDirectories(folder)) {
    for (const temporary of await listTemporary(join(folder, name))) {
      const looked = look(relative(folder, temporary));
      if (looked !== undefined && looked.changedMs <= endedBefore) found.push(temporary);
    }
  }
  return found;
}
