/** Reads the tables of the Go program, whichever of them and of their columns are there. */

import type { GoRow } from "../../lib/go-row.ts";
import { type ForeignDatabase, openForeignDatabase } from "../../platform/sqlite/foreign.ts";

export type GoTable =
  | "workflow_runs"
  | "workflow_phases"
  | "workflow_agents"
  | "workflow_gates"
  | "workflow_decisions"
  | "workflow_triggers";

export interface GoDatabase extends AsyncDisposable {
  /** All rows of a table, without what can be large. */
  list(table: "workflow_runs" | "workflow_triggers" | "workflow_decisions"): readonly GoRow[];
  /** One row as a whole. */
  row(table: GoTable, key: string): GoRow | undefined;
  /** Keys of the rows of a run, in the order in which they were made. */
  keysOf(table: GoTable, runId: string): readonly string[];
}

const KEYS: Readonly<Record<GoTable, string>> = {
  workflow_runs: "id",
  workflow_phases: "id",
  workflow_agents: "id",
  workflow_gates: "id",
  workflow_decisions: "id",
  workflow_triggers: "name",
};
const LISTED = [
  "id",
  "name",
  "run_id",
  "status",
  "owner_pid",
  "heartbeat_at",
  "created_at",
  "updated_at",
];
const ORDER: Readonly<Partial<Record<GoTable, readonly string[]>>> = {
  workflow_agents: ["call_index", "created_at", "id"],
  workflow_phases: ["created_at", "id"],
};

/** @throws PalliumError as `openForeignDatabase`, and so do its reads. */
export async function openGoDatabase(path: string): Promise<GoDatabase> {
  const database = await openForeignDatabase(path);
  const present = (table: GoTable, wanted: readonly string[]): readonly string[] => {
    const columns = columnsOf(database, table);
    return wanted.filter((column) => columns.has(column));
  };
  return {
    list: (table) => {
      const columns = present(table, LISTED);
      if (!columns.includes(KEYS[table])) return [];
      return database.all<GoRow>(
        `SELECT ${columns.join(", ")} FROM ${table} ORDER BY ${KEYS[table]}`,
      );
    },
    row: (table, key) =>
      database.get<GoRow>(`SELECT * FROM ${table} WHERE ${KEYS[table]} = ?`, key),
    keysOf: (table, runId) => {
      if (present(table, ["id", "run_id"]).length < 2) return [];
      const order = present(table, ORDER[table] ?? ["id"]).join(", ");
      const sql = `SELECT id FROM ${table} WHERE run_id = ? ORDER BY ${order}`;
      const rows = database.all<{ id: unknown }>(sql, runId);
      return rows.flatMap(({ id }) => (typeof id === "string" && id !== "" ? [id] : []));
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Whether it has runs of the Go program: tables of the same names are this program's too. */
export async function hasGoRuns(path: string): Promise<boolean> {
  await using database = await openForeignDatabase(path);
  const columns = columnsOf(database, "workflow_runs");
  return columns.has("script_path") && !columns.has("script_artifact");
}

function columnsOf(database: ForeignDatabase, table: string): ReadonlySet<string> {
  const columns = database.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table);
  return new Set(columns.map(({ name }) => name));
}
