/** `workflow apply` and `revert`: what a user does with the edits of a run afterwards. */
import { oneLine } from "../../lib/one-line.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { RepoLocks } from "../edits/locks/repo-locks.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { assertNotCollected } from "../run/collected.ts";
import { assertNotFromGo } from "../run/origin.ts";
import { requireRun } from "../run/store.ts";
import { applyEdits } from "./apply-edits.ts";
import { type BranchCommit, commitEdits } from "./branch-edits.ts";
import type { EditContext } from "./edit-repos.ts";
import { revertEdits } from "./revert-edits.ts";

export interface ApplyRequest {
  readonly id: string;
  /** Name of a new branch for the edits, instead of the checkout. */
  readonly branch?: string;
  /** Of the commit on that branch; what the run was for, where it is left out. */
  readonly message?: string;
}

export interface AppliedPatches {
  readonly id: string;
  /** The new branch; absent where the edits went into the checkout. */
  readonly branch?: string;
  /** One for each repository that has the branch now. */
  readonly commits?: readonly BranchCommit[];
  /** Paths of the patches, in the order in which they were merged; none where a branch was made. */
  readonly applied: readonly string[];
}

export interface RevertedPatches {
  readonly id: string;
  /** Paths of the patches, the one merged last first. */
  readonly reverted: readonly string[];
}

const SUBJECT_LENGTH = 72;

/** @throws PalliumError `run_not_found`, `run_collected`, and as `applyEdits` and `commitEdits` do. */
export async function applyRun(
  powers: WorkflowPowers,
  database: Database,
  { id, branch, message }: ApplyRequest,
  observer: RunObserver,
): Promise<AppliedPatches> {
  const run = requireRun(database, id);
  assertNotCollected(run, "applied");
  assertNotFromGo(run, "applied");
  const { status, task } = run;
  if (branch !== undefined) {
    const made = { name: branch, message: message ?? messageFor(id, task) };
    const commits = await withLocks(powers, database, id, observer, (context) =>
      commitEdits(context, made),
    );
    return { id, branch, commits, applied: [] };
  }
  const applied = await withLocks(powers, database, id, observer, (context) =>
    applyEdits(context, status === "completed"),
  );
  return { id, applied };
}

function messageFor(id: string, task: string): string {
  return `${oneLine(task, SUBJECT_LENGTH)}\n\nEdits of the pallium workflow run ${id}.\n`;
}

/** @throws PalliumError `run_not_found`, `run_collected`, and as `revertEdits` does. */
export async function revertRun(
  powers: WorkflowPowers,
  database: Database,
  id: string,
  observer: RunObserver,
): Promise<RevertedPatches> {
  const run = requireRun(database, id);
  assertNotFromGo(run, "reverted");
  assertNotCollected(run, "reverted", [
    "what it applied stays in the checkout; take it back with git: git log, git diff",
  ]);
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
