/**
 * Removes the files of one run. That they are given up is on record before the first of them goes:
 * whoever is killed on the way leaves a row that says so, and a folder that the next one removes.
 */
import { PalliumError } from "../../lib/errors.ts";
import { realPathOfParent } from "../../platform/files.ts";
import { folderSize } from "../../platform/folder-size.ts";
import { emptyFolder, removeFolder } from "../../platform/remove-folder.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import { isRealFolder } from "../../platform/tree-files/look.ts";
import { editsToLose } from "../apply/unapplied.ts";
import { forgetWorktrees } from "../edits/worktrees/worktree.ts";
import type { WorkflowPowers } from "../powers.ts";
import { acquireLease, leaseHolder, releaseLease } from "../run/lease.ts";
import { RUN_NOTE } from "../run/run-note.ts";
import { findRun, type RunRow } from "../run/store.ts";
import { type CollectRule, isCollectable } from "./rule.ts";
import { needIn, repositoriesOf } from "./run-repositories.ts";

export interface CollectContext {
  readonly powers: WorkflowPowers;
  readonly database: Database;
  readonly rule: CollectRule;
  /** Is told what was done besides. */
  readonly say: (line: string) => void;
}

/** A folder, no link, below that of all runs. */
export interface RunFolder {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
}

export interface RemovedFolder extends RunFolder {
  readonly bytes: number;
}

/**
 * Nobody executes the run meanwhile, and no two processes remove it at once.
 * @returns bytes that were freed; `undefined` where the run is no longer one to collect.
 * @throws PalliumError `run_in_use`, then all is as it was; `permission_denied`, `io_failed` and those
 *   of its repositories, then the next collection goes on.
 */
export async function collectRun(
  context: CollectContext,
  { id, path }: RunFolder,
): Promise<number | undefined> {
  const { database } = context;
  return withIdleRun(context, id, giveUp, async (run) => {
    // Another collection may have been here meanwhile.
    if (!isRealFolder(path)) return undefined;
    const repositories = await repositoriesOf(database, run);
    await assertUnneeded(context, run, repositories);
    const bytes = await folderSize(path);
    const folder = await realPathOfParent(path);
    for (const commonDir of repositories) await forgetWorktrees(commonDir, folder);
    await removeRunFolder(folder);
    return bytes;
  });
}

/**
 * Works with the files of a run that nobody executes, nor can meanwhile.
 * @param take decides in one transaction whether the run is still one to work with, and says so.
 * @returns `undefined` where it is not, or somebody executes it.
 */
export async function withIdleRun<T>(
  context: CollectContext,
  id: string,
  take: (tx: Transaction, run: RunRow, context: CollectContext) => boolean,
  work: (run: RunRow) => Promise<T>,
): Promise<T | undefined> {
  const { database, powers } = context;
  const held = await database.write((tx) => {
    const run = findRun(tx, id);
    if (run === undefined || leaseHolder(tx, id, powers.clock) !== undefined) return undefined;
    return take(tx, run, context) ? { run, lease: acquireLease(tx, id, powers.clock) } : undefined;
  });
  if (held === undefined) return undefined;
  try {
    return await work(held.run);
  } finally {
    await database.write((tx) => releaseLease(tx, held.lease));
  }
}

/** What says whose it is goes last: a folder that is half gone is found by it. */
export async function removeRunFolder(path: string): Promise<void> {
  await emptyFolder(path, RUN_NOTE);
  await removeFolder(path);
}

/** Whether the files of a run that nobody executes may go. */
export function mayGo(reader: Reader, run: RunRow, rule: CollectRule): boolean {
  if (!isCollectable(run, rule)) return false;
  return rule.unappliedStay !== true || editsToLose(reader, run.id) === 0;
}

function giveUp(tx: Transaction, run: RunRow, { powers, rule }: CollectContext): boolean {
  if (!mayGo(tx, run, rule)) return false;
  tx.run(
    "UPDATE workflow_runs SET collected_at = coalesce(collected_at, ?) WHERE id = ?",
    powers.clock.iso(),
    run.id,
  );
  return true;
}

/**
 * Who applies or reverts edits looks at the row once it holds the lock; who collects writes the row
 * before it looks at the lock. One of the two sees the other.
 * @param run its row as it was before its files were given up.
 * @throws PalliumError `run_in_use` and those of `needIn`, the row being as it was.
 */
async function assertUnneeded(
  { powers, database, say }: CollectContext,
  { id, collected_at }: RunRow,
  repositories: readonly string[],
): Promise<void> {
  try {
    for (const commonDir of repositories) {
      const need = await needIn(powers, commonDir, id, say);
      if (need !== undefined) throw runInUse(id, need);
    }
  } catch (error) {
    await database.write((tx) =>
      tx.run("UPDATE workflow_runs SET collected_at = ? WHERE id = ?", collected_at, id),
    );
    throw error;
  }
}

/** @param need such as "process 7 works with it". */
export function runInUse(id: string, need: string): PalliumError {
  return new PalliumError("run_in_use", `the files of run ${id} are in use: ${need}`, {
    hints: [`wait for it to end, or end it with: pallium workflow stop ${id}`],
  });
}
