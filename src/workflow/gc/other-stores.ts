/** Runs that are on record in another store than the one that is collected, or in one that is gone. */
import { dirname, isAbsolute, join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { exists, isDirectory, listDirectories, realPathOfParent } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { commonDirAround } from "../../platform/git/common-dir.ts";
import { isAlive } from "../../platform/process/identity.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { createLook } from "../../platform/tree-files/look.ts";
import { forgetWorktrees } from "../edits/worktrees/worktree.ts";
import { RUN_NOTE } from "../run/run-note.ts";
import {
  type CollectContext,
  type RemovedFolder,
  type RunFolder,
  removeRunFolder,
} from "./collect-run.ts";
import type { NotedFolder, OtherStore } from "./folders-by-store.ts";
import type { Outcome, SkippedFolder } from "./one-store.ts";

type Setting = Omit<CollectContext, "database">;

/** @param collect of a store that is there. */
export async function collectElsewhere(
  setting: Setting,
  { path, folders }: OtherStore,
  isDryRun: boolean,
  collect: (store: Database, folders: readonly RunFolder[]) => Promise<Outcome>,
): Promise<Outcome> {
  // A disk that is not there at the moment may have the store.
  if (!isAbsolute(path) || !(await isDirectory(dirname(path)))) return nothing([]);
  if (!(await exists(path))) return collectLost(setting, folders, isDryRun);
  try {
    const store = await setting.powers.openStore(path);
    try {
      return await collect(store, folders.map(plain));
    } finally {
      store.close();
    }
  } catch (error) {
    return nothing(folders.map((folder) => skipped(folder, error)));
  }
}

/** Nobody can resume or apply a run without its records; it goes where failed ones go. */
async function collectLost(
  { rule }: Setting,
  folders: readonly NotedFolder[],
  isDryRun: boolean,
): Promise<Outcome> {
  const removed: RemovedFolder[] = [];
  const failed: SkippedFolder[] = [];
  for (const folder of folders) {
    const isOver = isAlive(folder.note.owner) === false && lastChange(folder) <= rule.endedBefore;
    if (!rule.includeFailed || !isOver) continue;
    try {
      const bytes = await folderSize(folder.path);
      if (!isDryRun) await removeLost(folder);
      removed.push({ ...plain(folder), bytes });
    } catch (error) {
      failed.push(skipped(folder, error));
    }
  }
  return { removed, leftOvers: [], skipped: failed };
}

/** Milliseconds since 1970. */
function lastChange({ path }: RunFolder): number {
  const look = createLook(path);
  const changes = [RUN_NOTE, "workflow.js", "calls", "patches", "worktrees"].map(
    (name) => look(name)?.changedMs ?? 0,
  );
  return Math.max(...changes);
}

/** Where it worked is not on record: its working trees know their repositories. */
async function removeLost({ path }: RunFolder): Promise<void> {
  const folder = await realPathOfParent(path);
  for (const name of await listDirectories(join(folder, "worktrees"))) {
    const commonDir = await commonDirAround(join(folder, "worktrees", name));
    if (commonDir !== undefined) await forgetWorktrees(commonDir, folder);
  }
  await removeRunFolder(folder);
}

function plain({ id, path }: RunFolder): RunFolder {
  return { id, path };
}

function nothing(skippedFolders: readonly SkippedFolder[]): Outcome {
  return { removed: [], leftOvers: [], skipped: skippedFolders };
}

/** @throws what is no error of ours. */
function skipped(folder: RunFolder, error: unknown): SkippedFolder {
  if (!(error instanceof PalliumError)) throw error;
  return { ...plain(folder), code: error.code, error: error.message };
}
