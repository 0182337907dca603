/** A workflow store with rows as runners leave them, without a runner. */
import { sha256 } from "../../src/platform/hash.ts";
import {
  type Database,
  openDatabase,
  type Transaction,
} from "../../src/platform/sqlite/database.ts";
import { WORKFLOW_MIGRATIONS } from "../../src/workflow/run/schema.ts";
import type { RunStatus } from "../../src/workflow/run/types.ts";

export const AT = "2026-12-02T03:00:00.000Z";

export function openStore(path: string): Promise<Database> {
  return openDatabase({ path, migrations: WORKFLOW_MIGRATIONS });
}

type Fields = Readonly<Record<string, string | number | null>>;

/** Puts a run on record that nobody executes. @param more columns that differ. */
export async function addRun(
  database: Database,
  id: string,
  status: RunStatus,
  more: Fields = {},
): Promise<void> {
  await database.write((tx) => putRun(tx, id, status, more));
}

/** The same inside a transaction. */
export function putRun(tx: Transaction, id: string, status: RunStatus, more: Fields = {}): void {
  insert(tx, "workflow_runs", {
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
    ...more,
  });
}

/** Puts a call on record that ended well. @param more columns that differ, and its texts. */
export function putCall(
  tx: Transaction,
  runId: string,
  { prompt = "p", output = "o", ...more }: Fields & { prompt?: string; output?: string } = {},
): void {
  const at = tx.get<{ calls: number }>("SELECT count(*) AS calls FROM workflow_calls")?.calls ?? 0;
  for (const body of [prompt, output]) {
    tx.run("INSERT OR IGNORE INTO workflow_artifacts VALUES (?, ?)", sha256(body), body);
  }
  insert(tx, "workflow_calls", {
    id: `agent-${at}`,
    run_id: runId,
    call_index: at + 1,
    call_key: `:${at}`,
    primitive: "agent",
    phase: "",
    label: "",
    prompt_artifact: sha256(prompt),
    provider: "codex",
    repo: "/",
    mode: "read-only",
    model: "",
    schema_hash: "",
    script_hash: "",
    args_hash: "",
    networked: 0,
    cost_micros: 0,
    status: "completed",
    outcome: "ok",
    output_artifact: sha256(output),
    created_at: AT,
    updated_at: AT,
    completed_at: AT,
    ...more,
  });
}

function insert(tx: Transaction, table: string, fields: Fields): void {
  const names = Object.keys(fields);
  tx.run(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ...Object.values(fields),
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
