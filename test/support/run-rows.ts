/** What a store has of a run, read past the program. */
import type { Database } from "bun:sqlite";
import { inStore } from "./old-runs.ts";
import type { WorkflowHome } from "./workflow.ts";

/** Rows by table, of those that have any; the lease, which outlives its run, left out. */
export function rowsOf(home: WorkflowHome, runId: string): Readonly<Record<string, unknown[]>> {
  return inStore(home, (store) =>
    Object.fromEntries(
      tablesIn(store).flatMap((table) => {
        const column = table === "workflow_runs" ? "id" : "run_id";
        const rows = store.query(`SELECT * FROM ${table} WHERE ${column} = ?`).all(runId);
        return rows.length === 0 ? [] : [[table, rows]];
      }),
    ),
  );
}

/** Tables of which a row belongs to a run. */
export function tablesIn(store: Database): readonly string[] {
  return store
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND (c.name = 'run_id' OR (m.name = 'workflow_runs' AND c.name = 'id'))
         AND m.name <> 'workflow_leases'
       ORDER BY m.name`,
    )
    .all()
    .map(({ name }) => name);
}

/** All texts that the store keeps by their hash. */
export function textsIn(home: WorkflowHome): readonly string[] {
  return inStore(home, (store) =>
    store
      .query<{ body: string }, []>("SELECT body FROM workflow_artifacts")
      .all()
      .map(({ body }) => body),
  );
}
