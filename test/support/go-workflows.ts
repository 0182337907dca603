/** Workflow tables of the Go program, and rows as it leaves them. */
import type { SqlValue } from "../../src/platform/sqlite/database.ts";
import { type GoDatabaseOptions, writeGoDatabase } from "./go-database.ts";

export const GO_WORKFLOW_TABLES = `
CREATE TABLE workflow_runs (id TEXT PRIMARY KEY, task TEXT NOT NULL, cwd TEXT NOT NULL,
  script_path TEXT NOT NULL, args_json TEXT, owned_session_id TEXT, max_agents INTEGER DEFAULT 0,
  max_budget_usd TEXT, agent_timeout_seconds INTEGER DEFAULT 0,
  agent_timeout_explicit INTEGER DEFAULT 0, allow_network INTEGER DEFAULT 0, status TEXT NOT NULL,
  result TEXT, error TEXT, failures TEXT, script_hash TEXT, script_changed INTEGER DEFAULT 0,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, completed_at TEXT);
ALTER TABLE workflow_runs ADD COLUMN loop_name TEXT;
ALTER TABLE workflow_runs ADD COLUMN owner_pid INTEGER DEFAULT 0;
ALTER TABLE workflow_runs ADD COLUMN heartbeat_at TEXT;
CREATE TABLE workflow_phases (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL,
  status TEXT NOT NULL, agent_count INTEGER DEFAULT 0, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, completed_at TEXT);
CREATE TABLE workflow_agents (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, call_index INTEGER DEFAULT 0,
  phase TEXT, label TEXT, prompt TEXT NOT NULL, provider TEXT, repo TEXT, mode TEXT NOT NULL,
  isolation TEXT, model TEXT, schema_hash TEXT, script_hash TEXT, args_hash TEXT,
  estimated_cost_usd REAL DEFAULT 0, usage_json TEXT, status TEXT NOT NULL, output TEXT, error TEXT,
  patch_path TEXT, worktree TEXT, networked INTEGER DEFAULT 0, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, completed_at TEXT);
CREATE TABLE workflow_triggers (name TEXT PRIMARY KEY, kind TEXT NOT NULL, task TEXT NOT NULL,
  cwd TEXT NOT NULL, workflow_name TEXT, script_path TEXT, args_json TEXT,
  enabled INTEGER NOT NULL DEFAULT 1, last_run_id TEXT, last_ran_at TEXT, last_fingerprint TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE workflow_decisions (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, title TEXT NOT NULL,
  body TEXT, tags TEXT, created_at TEXT NOT NULL);
CREATE TABLE workflow_gates (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, name TEXT NOT NULL,
  message TEXT, status TEXT NOT NULL, opened_at TEXT NOT NULL, approved_at TEXT,
  UNIQUE (run_id, name));`;

/** With nine digits below the second, as Go writes times. */
export const GO_TIME = "2026-01-02T03:04:05.123456789Z";

export type GoValues = Readonly<Record<string, SqlValue>>;

const TIMES = { created_at: GO_TIME, updated_at: GO_TIME };

/** Statements that put rows into a table; what all such rows have is filled in. */
export function goRows(table: string, ...rows: readonly GoValues[]): string {
  const defaults: Readonly<Record<string, GoValues>> = {
    workflow_runs: {
      task: "a task",
      cwd: "/r",
      script_path: "s.js",
      status: "completed",
      ...TIMES,
    },
    workflow_phases: { status: "completed", ...TIMES },
    workflow_agents: { prompt: "do it", mode: "read-only", status: "completed", ...TIMES },
    workflow_triggers: { kind: "manual", task: "t", cwd: "/r", ...TIMES },
    workflow_decisions: { created_at: GO_TIME },
    workflow_gates: { status: "approved", opened_at: GO_TIME, approved_at: GO_TIME },
  };
  return rows
    .map((row) => {
      const values = { ...defaults[table], ...row };
      const names = Object.keys(values).join(", ");
      return `INSERT INTO ${table} (${names}) VALUES (${Object.values(values).map(literal).join(", ")});`;
    })
    .join("\n");
}

function literal(value: SqlValue): string {
  if (typeof value !== "string") return value === null ? "NULL" : String(value);
  return `'${value.replaceAll("'", "''")}'`;
}

/** @param sql the rows. */
export function writeGoWorkflows(
  path: string,
  sql: string,
  { killed }: Pick<GoDatabaseOptions, "killed"> = {},
): Promise<void> {
  return writeGoDatabase(path, {
    roots: [],
    sql: GO_WORKFLOW_TABLES + sql,
    ...(killed === undefined ? {} : { killed }),
  });
}
