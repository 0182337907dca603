/** What of a run's edits is not, or no longer should be, in the user's checkouts. */
import type { Reader } from "../../platform/sqlite/database.ts";
import { appliedTree, type RepoRecord, readRepoRecords } from "./records.ts";

/** How many edits count and are in no checkout. */
export function unappliedEdits(reader: Reader, runId: string): number {
  const calls = unevenRecords(reader, runId).flatMap(({ staged, applications }) => {
    const applied = applications.at(-1)?.calls ?? [];
    return staged.calls.filter((callId) => !applied.includes(callId));
  });
  return calls.length;
}

/** How many edits are in a checkout and do not count any more. */
export function droppedEdits(reader: Reader, runId: string): number {
  const calls = unevenRecords(reader, runId).flatMap(({ staged, applications }) =>
    (applications.at(-1)?.calls ?? []).filter((callId) => !staged.calls.includes(callId)),
  );
  return calls.length;
}

/** How many edits are nowhere but among the files of the run. */
export function editsToLose(reader: Reader, runId: string): number {
  return unappliedEdits(reader, runId) + conflictedEdits(reader, runId);
}

/** How many edits were never merged, since they did not go together with others. */
function conflictedEdits(reader: Reader, runId: string): number {
  const sql = `SELECT count(*) AS n FROM workflow_calls
    WHERE run_id = ? AND apply_state = 'conflict' AND superseded = 0`;
  return reader.get<{ n: number }>(sql, runId)?.n ?? 0;
}

/** Of each repository whose checkout has not just what counts. */
function unevenRecords(reader: Reader, runId: string): readonly RepoRecord[] {
  return readRepoRecords(reader, runId).filter(
    (record) => record.staged.tree !== appliedTree(record),
  );
}
