/** `workflow gc`: removes the files of runs that ended long ago. Their records stay. */
import { join } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { listDirectories } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { createLooks } from "../../platform/process/looks.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { markedCall } from "../calls/child.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { leaseHolder } from "../run/lease.ts";
import { type ReconciledRun, reconcileRuns } from "../run/reconcile.ts";
import { findRun } from "../run/store.ts";
import {
  type CollectContext,
  collectRun,
  type RemovedFolder,
  type RunFolder,
  runInUse,
} from "./collect-run.ts";
import { leftOversOf, removeLeftOvers } from "./left-overs.ts";
import { isCollectable, mayHaveLeftOvers } from "./rule.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 7;
const DEFAULT_STALE_MINUTES = 15;

export interface CollectRequest {
  /** Days since a run ended; 7 without. */
  readonly older_than?: number;
  /** Failed and interrupted runs too, which a resume could go on with. */
  readonly include_failed?: boolean;
  /** Only say what would be removed. */
  readonly dry_run?: boolean;
  /** First mark runs as interrupted whose runner died. */
  readonly stale?: boolean;
  /** How long a runner that cannot be seen from here is believed to live; 15 for 0 and less. */
  readonly stale_after_minutes?: number;
}

/** A run whose files were to go and did not. */
export interface SkippedFolder extends RunFolder {
  readonly code: string;
  readonly error: string;
}

export interface CollectReport {
  readonly removed: readonly RemovedFolder[];
  readonly count: number;
  /** All of it, left-overs too. */
  readonly bytes_freed: number;
  /** Of old runs that keep their other files: working trees of calls that are over, unfinished work. */
  readonly left_overs: readonly RemovedFolder[];
  readonly skipped: readonly SkippedFolder[];
  /** Nothing was removed. */
  readonly dry_run?: true;
  /** Where it was asked for. */
  readonly reconciled?: readonly ReconciledRun[];
}

/** @throws PalliumError `usage` for a negative age. */
export async function collectRuns(
  powers: WorkflowPowers,
  database: Database,
  request: CollectRequest,
  observer: RunObserver,
): Promise<CollectReport> {
  const { older_than: days = DEFAULT_DAYS, include_failed: includeFailed = false } = request;
  if (days < 0) throw usageError("--older-than must be 0 or more days");
  const reconciled =
    request.stale === true ? await reconcile(powers, database, request) : undefined;
  const endedBefore = powers.clock.now().getTime() - days * DAY_MS;
  const rule = { endedBefore, includeFailed };
  const context = { powers, database, rule, say: observer.notice };
  const { removed, left_overs, skipped } = await collectFolders(context, request.dry_run === true);
  for (const { error } of skipped) observer.warn(error);
  return {
    removed,
    count: removed.length,
    bytes_freed: [...removed, ...left_overs].reduce((sum, { bytes }) => sum + bytes, 0),
    left_overs,
    skipped,
    ...(request.dry_run === true ? { dry_run: true } : {}),
    ...(reconciled === undefined ? {} : { reconciled }),
  };
}

function reconcile(
  { clock }: WorkflowPowers,
  database: Database,
  { stale_after_minutes: minutes = DEFAULT_STALE_MINUTES }: CollectRequest,
): Promise<readonly ReconciledRun[]> {
  const patience = minutes > 0 ? minutes : DEFAULT_STALE_MINUTES;
  return reconcileRuns(database, clock, patience * MINUTE_MS);
}

type Outcome = Pick<CollectReport, "removed" | "left_overs" | "skipped">;

async function collectFolders(context: CollectContext, isDryRun: boolean): Promise<Outcome> {
  const removed: RemovedFolder[] = [];
  const leftOvers: RemovedFolder[] = [];
  const skipped: SkippedFolder[] = [];
  const { goes, stays } = await oldFolders(context);
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
  return { removed, left_overs: leftOvers, skipped };
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

/** Folders are looked for by name, never taken from a record: nothing else is ever removed. */
async function oldFolders(context: CollectContext): Promise<OldFolders> {
  const { powers, database, rule } = context;
  const { clock, runsDirectory } = powers;
  const [goes, stays]: [RunFolder[], RunFolder[]] = [[], []];
  for (const id of [...(await listDirectories(runsDirectory))].sort()) {
    const run = findRun(database, id);
    if (run === undefined || leaseHolder(database, id, clock) !== undefined) continue;
    const folder = { id, path: join(runsDirectory, id) };
    if (isCollectable(run, rule)) goes.push(folder);
    else if (mayHaveLeftOvers(run, rule) && (await leftOversOf(context, folder)).length > 0) {
      stays.push(folder);
    }
  }
  return { goes, stays };
}

/** Workers outlive a runner that was killed; what they were paid for may still come in. */
async function workedIn(
  database: Database,
  folders: readonly RunFolder[],
): Promise<(folder: RunFolder) => boolean> {
  if (folders.length === 0) return () => false;
  const processes = await createLooks()();
  const calls = processes.flatMap(({ markers }) => markers.map(markedCall));
  // Ids of runs can be anything, and the same in another store; those of calls are never given twice.
  const isOf = (runId: string, callId: string) =>
    database.get("SELECT 1 FROM workflow_calls WHERE id = ? AND run_id = ?", callId, runId);
  return ({ id }) =>
    calls.some(({ runId, callId }) => runId === id && isOf(id, callId) !== undefined);
}
