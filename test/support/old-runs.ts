/** Runs that ended long ago, for `workflow gc`. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { CollectReport } from "../../src/workflow/gc/collect-runs.ts";
import type { WorkflowHome } from "./workflow.ts";

const DAY_MS = 86_400_000;

/** Absolute folder of all runs, or of one. */
export function runsFolder(home: WorkflowHome, ...parts: readonly string[]): string {
  return join(home.directory, ".pallium", "workflow-runs", ...parts);
}

/** Does something with the user's store, past the program. */
export function inStore<T>(home: WorkflowHome, work: (store: Database) => T): T {
  using store = new Database(join(home.directory, ".pallium", "pallium.sqlite"));
  return work(store);
}

/** Lets a run have ended so many days ago, with another status where one is given. */
export function age(home: WorkflowHome, id: string, days: number, status?: string): void {
  inStore(home, (store) => ageIn(store, id, days, status));
}

/** The same, in any store. */
export function ageIn(store: Database, id: string, days: number, status?: string): void {
  const then = new Date(Date.now() - days * DAY_MS).toISOString();
  store.run(
    `UPDATE workflow_runs SET updated_at = ?, completed_at = iif(completed_at IS NULL, NULL, ?),
       status = coalesce(?, status) WHERE id = ?`,
    [then, then, status ?? null, id],
  );
}

export function gc(home: WorkflowHome, ...flags: readonly string[]): Promise<CollectReport> {
  return home.json<CollectReport>(["workflow", "gc", ...flags]);
}

/** Of the runs whose files went. */
export function idsOf({ removed }: CollectReport): readonly string[] {
  return removed.map(({ id }) => id);
}

/** Puts another run on record that went as this one did; it gets no files. */
export function copyRun(home: WorkflowHome, from: string, id: string): void {
  inStore(home, (store) => {
    const row = store.query("SELECT * FROM workflow_runs WHERE id = ?").get(from) as object;
    const fields = Object.entries({ ...row, id });
    store.run(
      `INSERT INTO workflow_runs (${fields.map(([name]) => name).join(", ")})
       VALUES (${fields.map(() => "?").join(", ")})`,
      fields.map(([, value]) => value),
    );
  });
}
