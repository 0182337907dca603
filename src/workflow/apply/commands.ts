/** `workflow apply` and `revert`: what a user does with the edits of a run afterwards. */
import type { Database } from "../../platform/sqlite/database.ts";
import { RepoLocks } from "../edits/repo-locks.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { requireRun } from "../run/store.ts";
import { applyEdits } from "./apply-edits.ts";
import type { EditContext } from "./edit-repos.ts";
import { revertEdits } from "./revert-edits.ts";

export interface AppliedPatches {
  readonly id: string;
  /** Paths of the patches, in the order in which they were merged. */
  readonly applied: readonly string[];
}

export interface RevertedPatches {
  readonly id: string;
  /** Paths of the patches, the one merged last first. */
  readonly reverted: readonly string[];
}

/** @throws PalliumError `run_not_found`, and as `applyEdits` does. */
export async function applyRun(
  powers: WorkflowPowers,
  database: Database,
  id: string,
  observer: RunObserver,
): Promise<AppliedPatches> {
  const { status } = requireRun(database, id);
  const applied = await withLocks(powers, database, id, observer, (context) =>
    applyEdits(context, status === "completed"),
  );
  return { id, applied };
}

/** @throws PalliumError `run_not_found`, and as `revertEdits` does. */
export async function revertRun(
  powers: WorkflowPowers,
  database: Database,
  id: string,
  observer: RunObserver,
): Promise<RevertedPatches> {
  requireRun(database, id);
  return { id, reverted: await withLocks(powers, database, id, observer, revertEdits) };
}

async function withLocks<T>(
  powers: WorkflowPowers,
  database: Database,
  runId: string,
  { warn }: RunObserver,
  work: (context: EditContext) => Promise<T>,
): Promise<T> {
  const locks = new RepoLocks(runId, powers.clock);
  try {
    return await work({ powers, database, runId, locks, warn });
  } finally {
    await locks.close();
  }
}
