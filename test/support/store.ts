/** A workflow store with rows as runners leave them, without a runner. */
import { type Database, openDatabase } from "../../src/platform/sqlite/database.ts";
import { WORKFLOW_MIGRATIONS } from "../../src/workflow/run/schema.ts";
import type { RunStatus } from "../../src/workflow/run/types.ts";

export const AT = "2026-12-02T03:00:00.000Z";

export function openStore(path: string): Promise<Database> {
  return openDatabase({ path, migrations: WORKFLOW_MIGRATIONS });
}

/** Puts a run on record that nobody executes. */
export async function addRun(database: Database, id: string, status: RunStatus): Promise<void> {
  const fields = {
    id,
    task: "t",
    cwd: "/",
    script_name: "s.js",
    script_path: "/s.js",
    script_hash: "",
    script_artifact: "",
    codex_binary: "codex",
    max_agents: 1,
    max_agents_explicit: 0,
    max_concurrent_agents: 1,
    retries: 0,
    agent_timeout_seconds: 1,
    agent_timeout_explicit: 0,
    allow_network: 0,
    limits_json: "{}",
    strict: 0,
    status,
    created_at: AT,
    updated_at: AT,
  };
  const names = Object.keys(fields);
  await database.write((tx) =>
    tx.run(
      `INSERT INTO workflow_runs (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(fields),
    ),
  );
}

/** The database, with something that another process does right before the first write. */
export function withInterference(
  database: Database,
  interfere: (database: Database) => Promise<unknown>,
): Database {
  let first = true;
  return {
    ...database,
    write: async (work) => {
      if (first) {
        first = false;
        await interfere(database);
      }
      return database.write(work);
    },
  };
}
