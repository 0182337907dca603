/**
 * Runs whose files are to go: of a run that is deleted, and of an import that did not come to its
 * end. That is on record before the first file goes, so that whoever is killed leaves either all of
 * a run or a record by which the next command finishes.
 */
import { PalliumError } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";

export interface Removal {
  readonly runId: string;
  /** Whether only files are left; before that all of the run is there. */
  readonly rowsGone: boolean;
  /** Absolute git directories that may know working trees of the run. */
  readonly repositories: readonly string[];
}

interface RemovalRow {
  readonly run_id: string;
  readonly rows_gone: number;
  readonly repositories: string;
}

/** The oldest first. */
export function readRemovals(reader: Reader): readonly Removal[] {
  return reader
    .all<RemovalRow>("SELECT * FROM workflow_removals ORDER BY begun_at, run_id")
    .map(({ run_id, rows_gone, repositories }) => ({
      runId: run_id,
      rowsGone: rows_gone === 1,
      repositories: texts(repositories),
    }));
}

/** Puts down how far a removal has come; there is one at most for each run. */
export function putRemoval(
  tx: Transaction,
  { runId, rowsGone, repositories }: Removal,
  now: string,
): void {
  tx.run(
    `INSERT INTO workflow_removals (run_id, rows_gone, repositories, begun_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET rows_gone = excluded.rows_gone,
       repositories = excluded.repositories`,
    runId,
    rowsGone ? 1 : 0,
    JSON.stringify(repositories),
    now,
  );
}

export function forgetRemoval(tx: Transaction, runId: string): void {
  tx.run("DELETE FROM workflow_removals WHERE run_id = ?", runId);
}

/**
 * Refuses to work with a run that somebody deletes, or whose files somebody has not finished to remove.
 * @throws PalliumError `run_in_use`
 */
export function assertNotRemoved(reader: Reader, runId: string): void {
  const found = reader.get("SELECT 1 FROM workflow_removals WHERE run_id = ?", runId);
  if (found === undefined) return;
  throw new PalliumError("run_in_use", `the run ${runId} is being deleted`, {
    hints: ["wait for that to end; what a killed one left goes with: pallium workflow gc"],
  });
}

function texts(json: string): readonly string[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.map(String) : [];
}
