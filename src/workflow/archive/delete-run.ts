/** `workflow delete`: a run goes as a whole, records and files. */
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import type { Database, Reader, Transaction } from "../../platform/sqlite/database.ts";
import { editsToLose } from "../apply/unapplied.ts";
import { runInUse } from "../gc/collect-run.ts";
import { workedIn } from "../gc/one-store.ts";
import { needIn, repositoriesOf } from "../gc/run-repositories.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { acquireLease, holdLease, type Lease } from "../run/lease.ts";
import { putRemoval, type Removal } from "../run/removals.ts";
import { type RunRow, requireRun } from "../run/store.ts";
import { endRemoval, finishRemovals, removeFiles } from "./finish-removals.ts";
import { deleteRows } from "./run-rows.ts";

export interface DeleteRequest {
  readonly id: string;
  /** Though edits of it are in no checkout. */
  readonly force?: boolean;
}

export interface DeletedRun {
  readonly id: string;
  readonly deleted: true;
  /** Where its files were, absolute. */
  readonly path: string;
  readonly bytes_freed: number;
}

/**
 * Nobody executes the run meanwhile, nor applies its edits. Killed before its rows go it leaves all of
 * the run; after that the next command removes what is left of the files.
 * @throws PalliumError `run_not_found`; `run_owned`, `run_in_use` and `edits_unapplied`: nothing was
 *   removed; `permission_denied` and `io_failed`: the next command goes on.
 */
export async function deleteRun(
  powers: WorkflowPowers,
  database: Database,
  { id, force = false }: DeleteRequest,
  { notice, warn }: RunObserver,
): Promise<DeletedRun> {
  await finishRemovals(powers, database, warn);
  const { run, lease } = await database.write((tx) => begin(tx, powers, id, force));
  const removal = await unlessNeeded(powers, database, { run, lease, say: notice });
  if (isApplied(database, id)) {
    notice("what it applied stays in the checkout and cannot be reverted any more");
  }
  await database.write((tx) => {
    holdLease(tx, lease, powers.clock);
    deleteRows(tx, id);
    putRemoval(tx, removal, powers.clock.iso());
  });
  const { path, bytes } = await removeFiles(powers, database, removal);
  await endRemoval(database, lease);
  return { id, deleted: true, path, bytes_freed: bytes };
}

function begin(
  tx: Transaction,
  { clock }: WorkflowPowers,
  id: string,
  force: boolean,
): { readonly run: RunRow; readonly lease: Lease } {
  const run = requireRun(tx, id);
  const lease = acquireLease(tx, id, clock);
  if (!force) assertNothingLost(tx, run);
  putRemoval(tx, { runId: id, rowsGone: false, repositories: [] }, clock.iso());
  return { run, lease };
}

/**
 * Whoever applies or reverts edits looks for the removal once it holds the lock of the repository; it is
 * written before the lock is looked at. One of the two sees the other.
 * @throws PalliumError `run_in_use` and those of `needIn`, all being as it was.
 */
async function unlessNeeded(
  powers: WorkflowPowers,
  database: Database,
  { run, lease, say }: { run: RunRow; lease: Lease; say: (line: string) => void },
): Promise<Removal> {
  const { id } = run;
  try {
    const isWorkedIn = await workedIn(database, [run]);
    if (isWorkedIn(run)) throw runInUse(id, "workers of it are still alive");
    const repositories = await repositoriesOf(database, run);
    for (const commonDir of repositories) {
      const need = await needIn(powers, commonDir, id, say);
      if (need !== undefined) throw runInUse(id, need);
    }
    return { runId: id, rowsGone: true, repositories };
  } catch (error) {
    await endRemoval(database, lease);
    throw error;
  }
}

/** Of a collected run nothing is left to apply. */
function assertNothingLost(reader: Reader, { id, collected_at }: RunRow): void {
  const edits = editsToLose(reader, id);
  if (edits === 0 || collected_at !== null) return;
  const what = `${counted(edits, "edit")} of run ${id} ${edits === 1 ? "is" : "are"} in no checkout`;
  throw new PalliumError("edits_unapplied", `${what} and would be lost`, {
    hints: [
      `see what they are: pallium workflow diff ${id}`,
      `apply them first: pallium workflow apply ${id}`,
      `or delete them with the run: pallium workflow delete ${id} --force`,
    ],
  });
}

function isApplied(reader: Reader, id: string): boolean {
  const sql = "SELECT 1 FROM workflow_applications WHERE run_id = ? AND state = 'applied'";
  return reader.get(sql, id) !== undefined;
}
