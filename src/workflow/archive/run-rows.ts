/** The rows of one run, in all tables of the store. */
import type { Transaction } from "../../platform/sqlite/database.ts";

/** Tables whose rows belong to the run that their column `run_id` names. */
export const RUN_TABLES = [
  "workflow_phases",
  "workflow_calls",
  "workflow_failures",
  "workflow_events",
  "workflow_controls",
  "workflow_gates",
  "workflow_decisions",
  "workflow_edit_bases",
  "workflow_edits",
  "workflow_applications",
] as const;

/** Tables with a column `run_id` whose rows outlive the run. */
export const OUTLIVING_TABLES = [
  // The fence grows on: a runner that slept cannot write into a later run of the same id.
  "workflow_leases",
  "workflow_removals",
] as const;

/** Columns that name a text of `workflow_artifacts`, as queries that yield the hashes. */
export const ARTIFACTS_OF_RUN = `
  SELECT script_artifact AS hash FROM workflow_runs WHERE id = ?1
  UNION SELECT prompt_artifact FROM workflow_calls WHERE run_id = ?1
  UNION SELECT output_artifact FROM workflow_calls WHERE run_id = ?1 AND output_artifact IS NOT NULL
  UNION SELECT json_extract(data, '$.result') FROM workflow_events
    WHERE run_id = ?1 AND type = 'run' AND json_extract(data, '$.result') IS NOT NULL
  UNION SELECT json_extract(data, '$.script') FROM workflow_events WHERE run_id = ?1 AND type = 'nested'`;

const ARTIFACTS_OF_ALL = ARTIFACTS_OF_RUN.replaceAll(/(?:id|run_id) = \?1/g, "true");

/** Removes all of a run but its files, and texts that no other run has. */
export function deleteRows(tx: Transaction, runId: string): void {
  const hashes = tx.all<{ hash: string }>(ARTIFACTS_OF_RUN, runId).map(({ hash }) => hash);
  for (const table of RUN_TABLES) tx.run(`DELETE FROM ${table} WHERE run_id = ?`, runId);
  tx.run("DELETE FROM workflow_runs WHERE id = ?", runId);
  tx.run(
    `DELETE FROM workflow_artifacts
     WHERE hash IN (SELECT value FROM json_each(?)) AND hash NOT IN (${ARTIFACTS_OF_ALL})`,
    JSON.stringify(hashes),
  );
}
