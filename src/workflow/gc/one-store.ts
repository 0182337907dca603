/** Collects the runs that one store has on record. */
import { PalliumError } from "../../lib/errors.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { createLooks } from "../../platform/process/looks.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { markedCall } from "../calls/child.ts";
import { leaseHolder } from "../run/lease.ts";
import { findRun } from "../run/store.ts";
import {
  type CollectContext,
  collectRun,
  mayGo,
  type RemovedFolder,
  type RunFolder,
  runInUse,
} from "./collect-run.ts";
import { leftOversOf, removeLeftOvers } from "./left-overs.ts";
import { mayHaveLeftOvers } from "./rule.ts";

/** A run whose files were to go and did not. */
export interface SkippedFolder extends RunFolder {
  readonly code: string;
  readonly error: string;
}

export interface Outcome {
  readonly removed: readonly RemovedFolder[];
  /** Of runs that keep their other files. */
  readonly leftOvers: readonly RemovedFolder[];
  readonly skipped: readonly SkippedFolder[];
}

/** @param isDryRun whether only to say what would go. */
export async function collectFolders(
  context: CollectContext,
  folders: readonly RunFolder[],
  isDryRun: boolean,
): Promise<Outcome> {
  const removed: RemovedFolder[] = [];
  const leftOvers: RemovedFolder[] = [];
  const skipped: SkippedFolder[] = [];
  const { goes, stays } = await oldFolders(context, folders);
  const isWorkedIn = await workedIn(context.database, [...goes, ...stays]);
  const attempt = async (folder: RunFolder, work: () => Promise<unknown>) => {
    try {
      if (isWorkedIn(folder)) throw runInUse(folder.id, "workers of it are still alive");
      await work();
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      skipped.push({ ...folder, code: error.code, error: error.message });
    }
  };
  for (const folder of goes) {
    await attempt(folder, async () => {
      const bytes = isDryRun ? await folderSize(folder.path) : await collectRun(context, folder);
      if (bytes !== undefined) removed.push({ ...folder, bytes });
    });
  }
  for (const folder of stays) {
    await attempt(folder, async () => {
      const found = isDryRun ? measuredLeftOvers : removeLeftOvers;
      leftOvers.push(...(await found(context, folder)));
    });
  }
  return { removed, leftOvers, skipped };
}

async function measuredLeftOvers(
  context: CollectContext,
  folder: RunFolder,
): Promise<readonly RemovedFolder[]> {
  const measured: RemovedFolder[] = [];
  for (const path of await leftOversOf(context, folder)) {
    measured.push({ id: folder.id, path, bytes: await folderSize(path) });
  }
  return measured;
}

interface OldFolders {
  readonly goes: readonly RunFolder[];
  /** Keeps its files, but for what is left over. */
  readonly stays: readonly RunFolder[];
}

async function oldFolders(
  context: CollectContext,
  folders: readonly RunFolder[],
): Promise<OldFolders> {
  const { powers, database, rule } = context;
  const [goes, stays]: [RunFolder[], RunFolder[]] = [[], []];
  for (const folder of folders) {
    const run = findRun(database, folder.id);
    if (run === undefined || leaseHolder(database, folder.id, powers.clock) !== undefined) continue;
    if (mayGo(database, run, rule)) goes.push(folder);
    else if (mayHaveLeftOvers(run, rule) && (await leftOversOf(context, folder)).length > 0) {
      stays.push(folder);
    }
  }
  return { goes, stays };
}

/** Workers outlive a runner that was killed; what they were paid for may still come in. */
export async function workedIn(
  database: Database,
  folders: readonly Pick<RunFolder, "id">[],
): Promise<(folder: Pick<RunFolder, "id">) => boolean> {
  if (folders.length === 0) return () => false;
  const processes = await createLooks()();
  const calls = processes.flatMap(({ markers }) => markers.map(markedCall));
  // Ids of runs can be anything, and the same in another store; those of calls are never given twice.
  const isOf = (runId: string, callId: string) =>
    database.get("SELECT 1 FROM workflow_calls WHERE id = ? AND run_id = ?", callId, runId);
  return ({ id }) =>
    calls.some(({ runId, callId }) => runId === id && isOf(id, callId) !== undefined);
}
