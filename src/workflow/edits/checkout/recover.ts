/** Goes on with changes to checkouts whose process died or gave up half-way. */
import { join } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isDirectory, listDirectories } from "../../../platform/files.ts";
import type { Git } from "../../../platform/git/runner.ts";
import { removeFolder } from "../../../platform/remove-folder.ts";
import { temporaryFolder } from "../../../platform/temporary-folder.ts";
import type { Ledger } from "../locks/ledger.ts";
import { ledgerFolder } from "../locks/ledger-folder.ts";
import { acquireRepoLock, type RepoLock } from "../locks/repo-lock.ts";
import { openTreeStore, type TreeStore } from "../trees/tree-store.ts";
import { clearMarker, forgetIntent, type Intent, moveIntent, readIntents } from "./intents.ts";
import { type EndedChange, numbered, type TellRun } from "./perform-change.ts";
import { standingOf, undoSteps } from "./undo-steps.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
  type NumberedStep,
  pathsOf,
  removeStaged,
  type StepWriter,
  writeSteps,
} from "./write-steps.ts";

export interface RecoveryPowers {
  readonly git: Git;
  readonly ledger: Ledger;
  /** Git directory in which the ledger lies. */
  readonly commonDir: string;
  readonly clock: Clock;
  readonly tell: TellRun;
  readonly files?: CheckoutFiles;
}

export interface Recovery {
  /** Changes that are over now, whose runs were told. */
  readonly ended: readonly EndedChange[];
  /** Changes that could not be brought to an end, and why; the next recovery tries again. */
  readonly pending: readonly { readonly change: Intent; readonly error: PalliumError }[];
  /** For people; none where there was nothing to do. */
  readonly lines: readonly string[];
}

/** How the names of folders begin for objects that nobody keeps. */
const OBJECTS = "objects-";

const NOTHING_DONE: Recovery = { ended: [], pending: [], lines: [] };

/**
 * Finishes what a process left half-way where all that is needed is there, and undoes it where not.
 * A file that is neither as it was nor as it was to be is named and left alone. While a living run
 * edits the repository there is nothing to do.
 * @param runId in whose name; the lock of the repository is held meanwhile.
 */
export async function recoverChanges(powers: RecoveryPowers, runId: string): Promise<Recovery> {
  const { ledger, commonDir, clock } = powers;
  const lock = await lockUnlessHeld(ledger, { runId, root: commonDir, clock });
  if (lock === undefined) return NOTHING_DONE;
  try {
    return await recoverAll(powers, lock);
  } finally {
    await lock.release();
  }
}

async function lockUnlessHeld(
  ledger: Ledger,
  request: Parameters<typeof acquireRepoLock>[1],
): Promise<RepoLock | undefined> {
  try {
    return await acquireRepoLock(ledger, request);
  } catch (error) {
    if (error instanceof PalliumError && error.code === "repo_locked") return undefined;
    throw error;
  }
}

async function recoverAll(powers: RecoveryPowers, lock: RepoLock): Promise<Recovery> {
  const ended: EndedChange[] = [];
  const pending: { change: Intent; error: PalliumError }[] = [];
  // What began under this very holding of the lock is at work in this process.
  const left = readIntents(powers.ledger).filter(({ lockToken }) => lockToken !== lock.token);
  for (const change of left) {
    try {
      ended.push(await endOne(powers, lock, change));
    } catch (error) {
      if (!(error instanceof PalliumError)) throw error;
      pending.push({ change, error });
    }
  }
  await clearMarker(powers.ledger, powers.commonDir);
  return { ended, pending, lines: [...ended.map(endLine), ...pending.map(pendingLine)] };
}

async function endOne(
  powers: RecoveryPowers,
  lock: RepoLock,
  change: Intent,
): Promise<EndedChange> {
  const { ledger, commonDir, tell } = powers;
  const { id, runId, root, kind, note, steps, state } = change;
  const isOver = state === "done" || state === "undone";
  const end = isOver
    ? { outcome: state, leftAlone: change.leftAlone }
    : await bringToEnd(powers, lock, change);
  if (!isOver) await moveIntent(ledger, id, end.outcome, end.leftAlone);
  const ended = { id, runId, root, kind, note, steps, ...end };
  await tell(ended);
  await forgetIntent(ledger, commonDir, id);
  return ended;
}

type End = Pick<EndedChange, "outcome" | "leftAlone">;

async function bringToEnd(powers: RecoveryPowers, lock: RepoLock, change: Intent): Promise<End> {
  const { git, commonDir, files = CHECKOUT_FILES } = powers;
  const { id, root, objects } = change;
  // A working tree that was removed took its files with it.
  if (!(await isDirectory(root))) return { outcome: "undone", leftAlone: [] };
  const work = (store: TreeStore) =>
    endFiles(powers, { store, files, root, id, check: () => lock.check() }, change);
  if (await isDirectory(objects)) {
    const store = await openTreeStore(git, commonDir, objects);
    await store.sweep();
    return work(store);
  }
  // The run's files are gone. What files were before is often in the repository too.
  await removeLeftObjects(commonDir);
  await using folder = await temporaryFolder(join(ledgerFolder(commonDir), OBJECTS));
  return await work(await openTreeStore(git, commonDir, folder.path));
}

/** Those of a recovery that was killed; whoever holds the lock is the only one to make any. */
async function removeLeftObjects(commonDir: string): Promise<void> {
  const folder = ledgerFolder(commonDir);
  const names = (await listDirectories(folder)).filter((name) => name.startsWith(OBJECTS));
  for (const name of names) await removeFolder(join(folder, name));
}

async function endFiles(
  { ledger }: RecoveryPowers,
  writer: StepWriter,
  { id, steps, state, folders }: Intent,
): Promise<End> {
  await removeStaged(writer, numbered(steps));
  const { before, after, neither } = await standingOf(writer, numbered(steps));
  // Where somebody changed a file meanwhile the rest is finished only if that takes no more writing.
  const isFinished = before.length === 0 && after.length > 0;
  if (state === "forward" && (neither.length === 0 || isFinished)) {
    if (await finish(writer, before)) return { outcome: "done", leftAlone: pathsOf(neither) };
  }
  await moveIntent(ledger, id, "back");
  return { outcome: "undone", leftAlone: await undoSteps(writer, numbered(steps), folders) };
}

/** @returns false where it cannot be finished, so that it is to be undone. */
async function finish(writer: StepWriter, steps: readonly NumberedStep[]): Promise<boolean> {
  try {
    await writeSteps(writer, steps);
    return true;
  } catch (error) {
    if (error instanceof PalliumError && error.code !== "repo_lock_lost") return false;
    throw error;
  }
}

function endLine({ kind, runId, root, outcome, leftAlone, steps }: EndedChange): string {
  const verb = kind === "apply" ? "applying" : "reverting";
  const files = steps.length === 1 ? "1 file" : `${steps.length} files`;
  const line =
    outcome === "done"
      ? `finished ${verb} the edits of run ${runId} in ${root}, which was interrupted: ${files}`
      : `undid what was begun of ${verb} the edits of run ${runId} in ${root}: ${files} as before`;
  if (leftAlone.length === 0) return line;
  return `${line}; left as they are, being neither what they were nor what they were to become: ${leftAlone.join(", ")}`;
}

function pendingLine({ change, error }: Recovery["pending"][number]): string {
  const verb = change.kind === "apply" ? "applying" : "reverting";
  return `${verb} the edits of run ${change.runId} in ${change.root} is unfinished: ${error.message}`;
}
