/** The edits of a run, from the start of an execution to the user's checkouts. */
import { counted } from "../../lib/counted.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { applyEdits } from "../apply/apply-edits.ts";
import { readRepoRecords } from "../apply/records.ts";
import { droppedEdits, unappliedEdits } from "../apply/unapplied.ts";
import type { Execution } from "../calls/execution.ts";
import type { RepoLocks } from "../edits/locks/repo-locks.ts";
import { RunEdits } from "../edits/run-edits.ts";
import { parseLinks } from "../edits/worktrees/linked-folders.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { ClaimedRun } from "./claim.ts";
import { runnerFailure } from "./execute.ts";
import type { Journal, RunEnd } from "./journal.ts";
import { applyCommand, revertCommand } from "./next-step.ts";
import type { PlannedRun } from "./request.ts";
import { readEditBases, readMergedEdits } from "./resume-state.ts";

interface EditingRun {
  readonly powers: WorkflowPowers;
  readonly database: Database;
  readonly plan: PlannedRun;
  readonly claimed: ClaimedRun;
  /** Absolute folder of the run's files. */
  readonly directory: string;
  readonly journal: Journal;
}

/** Where the calls of a run work, with what its earlier executions edited. */
export function openRunEdits(
  { powers, database, plan, claimed, directory, journal }: EditingRun,
  locks: RepoLocks,
): RunEdits {
  return new RunEdits({
    git: powers.git,
    runId: plan.id,
    directory,
    includeDirty: claimed.row.include_dirty === 1,
    links: parseLinks(claimed.row.links ?? undefined),
    bases: readEditBases(database, plan.id),
    edits: readMergedEdits(database, plan.id),
    begun: (base) => journal.editsBegun(base),
    replayed: (staged) => journal.editsStaged(staged),
    locks,
  });
}

/**
 * A run whose script came to its end has its edits applied, unless it is strict and something in it
 * failed: then they wait for somebody to look.
 */
export async function withEdits(
  { powers, database, plan, journal }: EditingRun,
  execution: Execution,
  locks: RepoLocks,
  end: RunEnd,
): Promise<RunEnd> {
  const left = (why: string): RunEnd => {
    const edits = unappliedEdits(database, plan.id);
    if (edits > 0) {
      const what = `${counted(edits, "edit")} kept and not applied, since ${why}`;
      execution.notice(`${what}; apply all the same: ${applyCommand(plan, plan.db)}`);
    }
    return end;
  };
  if (end.status !== "completed") return left("the run did not complete");
  for (const { base, staged } of readRepoRecords(database, plan.id)) {
    if (staged.calls.length === 0 || execution.edits.isMerged(staged.calls[0] ?? "")) continue;
    await journal.editsStaged({ root: base.root, tree: base.start, calls: [] });
  }
  if (plan.strict && failureCount(database, plan.id) > 0) return left("a call failed");
  const { warn, notice } = execution;
  try {
    const dropped = droppedEdits(database, plan.id);
    const applied = await applyEdits({ powers, database, runId: plan.id, locks, warn }, true);
    const done = [
      ...(applied.length > 0 ? [`${counted(applied.length, "edit")} applied`] : []),
      ...(dropped > 0 ? [`${counted(dropped, "edit")} of an earlier execution taken back`] : []),
    ].join(", ");
    if (done !== "")
      notice(`${done}; take back what the run applied: ${revertCommand(plan, plan.db)}`);
    return end;
  } catch (error) {
    return { ...end, ...runnerFailure(error) };
  }
}

/** How much of a run went wrong. */
export function failureCount(database: Database, runId: string): number {
  const sql = "SELECT count(*) AS n FROM workflow_failures WHERE run_id = ?";
  return database.get<{ n: number }>(sql, runId)?.n ?? 0;
}
