/** The repositories that a run edited, opened for changes to their checkouts. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { isDirectory } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { Change } from "../edits/checkout/intents.ts";
import { type EndedChange, performChange } from "../edits/checkout/perform-change.ts";
import type { RepoLocks } from "../edits/locks/repo-locks.ts";
import { findPlace, type Place } from "../edits/place.ts";
import { objectsFolder } from "../edits/run-edits.ts";
import { openTreeStore, type TreeStore } from "../edits/trees/tree-store.ts";
import type { WorkflowPowers } from "../powers.ts";
import { assertNotCollected } from "../run/collected.ts";
import { assertNotRemoved } from "../run/removals.ts";
import { requireRun } from "../run/store.ts";
import type { ChangeNote, RepoRecord } from "./records.ts";
import { recoverEdits, tell } from "./recover-edits.ts";

/** What changes to checkouts are made with. */
export interface EditContext {
  readonly powers: WorkflowPowers;
  readonly database: Database;
  readonly runId: string;
  readonly locks: RepoLocks;
  readonly warn: (line: string) => void;
}

export interface EditRepo {
  readonly record: RepoRecord;
  readonly place: Place;
  readonly store: TreeStore;
}

/**
 * Takes hold of a repository; what somebody left half-way in it is brought to an end first.
 * @throws PalliumError `repo_locked`, `run_collected`, and those of `placeOfCheckout` and `openObjects`.
 */
export async function openEditRepo(context: EditContext, record: RepoRecord): Promise<EditRepo> {
  const { powers, database, runId, locks, warn } = context;
  const place = await placeOfCheckout(powers, record.base.root);
  await locks.hold(place);
  // Whoever removes the files of the run says so before it looks at the lock.
  assertNotCollected(requireRun(database, runId), "applied or reverted");
  assertNotRemoved(database, runId);
  const store = await openObjects(powers, runId, place);
  await store.sweep();
  await recoverEdits(powers, place.commonDir, runId, warn);
  return { record, place, store };
}

/**
 * The checkout that a run edited.
 * @param root its absolute top, as the run has it.
 * @throws PalliumError `repo_not_found`
 */
export async function placeOfCheckout(
  { git }: Pick<WorkflowPowers, "git">,
  root: string,
): Promise<Place> {
  const place = (await isDirectory(root)) ? await findPlace(git, root) : undefined;
  if (place?.root === root) return place;
  throw new PalliumError("repo_not_found", `the checkout that the run edited is gone: ${root}`, {
    hints: ["bring it back to where it was; the run's patches are files: pallium workflow inspect"],
  });
}

/**
 * What the edits of a run in a repository are made of.
 * @throws PalliumError `edit_objects_lost`
 */
export async function openObjects(
  { git, runsDirectory }: Pick<WorkflowPowers, "git" | "runsDirectory">,
  runId: string,
  { root, commonDir }: Place,
): Promise<TreeStore> {
  const objects = objectsFolder(join(runsDirectory, runId), root);
  if (await isDirectory(objects)) return openTreeStore(git, commonDir, objects);
  throw new PalliumError("edit_objects_lost", `the files of run ${runId} are gone: ${objects}`, {
    hints: ["somebody else removed them; nothing of the run can be applied or reverted any more"],
  });
}

export type CheckoutChange = Pick<Change, "kind" | "steps"> & {
  readonly note: Omit<ChangeNote, "store">;
};

/** Changes the checkout of a repository, all of it or nothing, and has the store know. */
export async function changeCheckout(
  { powers, database, runId, locks }: EditContext,
  { place, store }: EditRepo,
  change: CheckoutChange,
): Promise<EndedChange> {
  const { kind, steps } = change;
  const note = JSON.stringify({ ...change.note, store: database.path } satisfies ChangeNote);
  return performChange(
    {
      ledger: await locks.ledger(place),
      commonDir: place.commonDir,
      lock: await locks.hold(place),
      store,
      clock: powers.clock,
      tell: (ended) => tell(database, powers, ended),
    },
    { runId, root: place.root, kind, note, steps },
  );
}
