/** `workflow gc`: removes the files of runs that ended long ago. Their records stay. */
import { dirname } from "node:path";
import { parseByteSize } from "../../lib/byte-size.ts";
import { usageError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import { folderSize } from "../../platform/folder-size.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { finishRemovals } from "../archive/finish-removals.ts";
import { sweepStaging } from "../archive/staging.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { type ReconciledRun, reconcileRuns } from "../run/reconcile.ts";
import { type Settings, settingsFor } from "../settings/in-force.ts";
import type { RemovedFolder, RunFolder } from "./collect-run.ts";
import { foldersByStore } from "./folders-by-store.ts";
import { collectFolders, type Outcome, type SkippedFolder } from "./one-store.ts";
import { collectElsewhere } from "./other-stores.ts";
import type { CollectRule } from "./rule.ts";
import { collectToSize } from "./to-size.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_STALE_MINUTES = 15;

const TOO_LARGE =
  "more is left than --max-size: runs at work, paused, failed or interrupted, with edits in no checkout, or of other stores";

export interface CollectRequest {
  /** Path of the store; absent for the user's own, and with it for others that its runs lie beside. */
  readonly db?: string;
  /** Days since a run ended; what settings say without. */
  readonly older_than?: number;
  /** Failed and interrupted runs too, which a resume could go on with; what settings say without. */
  readonly include_failed?: boolean;
  /** Then the oldest runs that ended, until the files of all runs have no more than this, such as `5G`. */
  readonly max_size?: string;
  /** Only say what would be removed. */
  readonly dry_run?: boolean;
  /** First mark runs as interrupted whose runner died. */
  readonly stale?: boolean;
  /** How long a runner that cannot be seen from here is believed to live; 15 for 0 and less. */
  readonly stale_after_minutes?: number;
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
  /** Where `max_size` was given: it in bytes, and the bytes of all runs' files that are left. */
  readonly max_bytes?: number;
  readonly bytes_kept?: number;
  /** Where it was asked for. */
  readonly reconciled?: readonly ReconciledRun[];
}

/**
 * Collects what the store has on record and, where it is the user's own, what other stores have that runs
 * were kept in with `--db`: folders of all runs lie beside each other.
 * @throws PalliumError `usage` for a negative age.
 */
export async function collectRuns(
  powers: WorkflowPowers,
  database: Database,
  request: CollectRequest,
  observer: RunObserver,
): Promise<CollectReport> {
  if ((request.older_than ?? 0) < 0) throw usageError("--older-than must be 0 or more days");
  const maxBytes = maxBytesOf(request);
  const { gc } = await settingsFor(powers, powers.environment.cwd, () => {});
  const setting = () => ({
    powers,
    rule: ruleOf(powers, { ...gc, ...request }),
    say: observer.notice,
  });
  const isDryRun = request.dry_run === true;
  const folders = await foldersByStore(powers.runsDirectory, database.path);
  const reconciled: ReconciledRun[] = [];
  if (!isDryRun) await finishRemovals(powers, database, observer.warn);
  const imports = await sweepStaging(powers.runsDirectory, powers.clock.now(), isDryRun);
  const collect = async (store: Database, own: readonly RunFolder[]) => {
    if (request.stale === true) reconciled.push(...(await reconcile(powers, store, request)));
    return collectFolders({ ...setting(), database: store }, own, isDryRun);
  };
  const shrink = async (before: readonly Outcome[], maxBytes: number) => {
    const gone = before.flatMap((outcome) => [...outcome.removed, ...outcome.leftOvers]);
    const left = folders.own.filter(({ path }) => !gone.some((one) => one.path === path));
    const measured = await folderSize(powers.runsDirectory);
    const bytes = measured - (isDryRun ? totalBytes(gone) : 0);
    const sized = await collectToSize({ ...setting(), database }, left, {
      bytes,
      maxBytes,
      isDryRun,
    });
    if (sized.bytesKept > maxBytes) observer.warn(TOO_LARGE);
    return sized;
  };
  const outcomes = [await collect(database, folders.own)];
  if (request.db === undefined && dirname(database.path) === powers.home) {
    for (const other of folders.others) {
      outcomes.push(await collectElsewhere(setting(), other, isDryRun, collect));
    }
  }
  const sized = maxBytes === undefined ? undefined : await shrink(outcomes, maxBytes);
  if (sized !== undefined) outcomes.push(sized);
  const removed = outcomes.flatMap((outcome) => outcome.removed);
  const left_overs = [...imports, ...outcomes.flatMap(({ leftOvers }) => leftOvers)];
  const skipped = outcomes.flatMap((outcome) => outcome.skipped);
  for (const { error } of skipped) observer.warn(error);
  return {
    removed,
    count: removed.length,
    bytes_freed: totalBytes([...removed, ...left_overs]),
    left_overs,
    skipped,
    ...(isDryRun ? { dry_run: true } : {}),
    ...optional({ max_bytes: maxBytes, bytes_kept: sized?.bytesKept }),
    ...(request.stale === true ? { reconciled } : {}),
  };
}

function totalBytes(folders: readonly RemovedFolder[]): number {
  return folders.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @throws PalliumError `usage` */
function maxBytesOf({ max_size: text }: CollectRequest): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseByteSize(text);
  if (bytes !== undefined) return bytes;
  throw usageError("--max-size is no size", "such as --max-size 500M, 5G, or a number of bytes");
}

function ruleOf(
  { clock }: WorkflowPowers,
  { older_than: days, include_failed: includeFailed }: Settings["gc"],
): CollectRule {
  return { endedBefore: clock.now().getTime() - days * DAY_MS, includeFailed };
}

function reconcile(
  { clock }: WorkflowPowers,
  database: Database,
  { stale_after_minutes: minutes = DEFAULT_STALE_MINUTES }: CollectRequest,
): Promise<readonly ReconciledRun[]> {
  const patience = minutes > 0 ? minutes : DEFAULT_STALE_MINUTES;
  return reconcileRuns(database, clock, patience * MINUTE_MS);
}
