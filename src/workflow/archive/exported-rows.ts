/** The rows of a run as they are exported: without what is of this machine alone. */
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Reader, SqlValue } from "../../platform/sqlite/database.ts";
import { columnsOf, type Decision, type ExportedTable } from "./format.ts";

type Row = Readonly<Record<string, SqlValue>>;

/** Characters of rows that one entry holds; a single row may be more. */
const PIECE = 1_000_000;
/** What a run executed, in its folder. */
const SCRIPT = "workflow.js";
/** Tells the rows of one run apart, and is their order. */
const KEYS: Readonly<Record<ExportedTable, string>> = {
  workflow_runs: "id",
  workflow_phases: "id",
  workflow_calls: "call_index",
  workflow_failures: "ordinal",
  workflow_events: "seq",
  workflow_gates: "id",
  workflow_decisions: "id",
  workflow_edit_bases: "root",
  workflow_edits: "seq",
};

/** Lines of JSON, some at a time: a run may have more rows than fit into memory. */
export function* exportedRows(
  reader: Reader,
  table: ExportedTable,
  runId: string,
): Generator<string> {
  const [key, run] = [KEYS[table], table === "workflow_runs" ? "id" : "run_id"];
  const names = columnsOf(table).map(([name]) => name);
  const select = `SELECT ${names.join(", ")} FROM ${table} WHERE ${run} = ? AND ${key} = ?`;
  const rows = reader.all<{ key: SqlValue }>(
    `SELECT ${key} AS key FROM ${table} WHERE ${run} = ? ORDER BY ${key}`,
    runId,
  );
  let piece = "";
  for (const row of rows) {
    const found = reader.get<Row>(select, runId, row.key);
    if (found !== undefined) piece += `${JSON.stringify(exportedRow(table, found, runId))}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function exportedRow(table: ExportedTable, row: Row, runId: string): Row {
  const values = columnsOf(table)
    .filter(([, decision]) => typeof decision !== "object")
    .map(([name, decision]) => [name, exportedValue(decision, row[name] ?? null, runId)]);
  return Object.fromEntries(values) as Row;
}

function exportedValue(decision: Decision, value: SqlValue, runId: string): SqlValue {
  if (typeof value !== "string") return value;
  if (decision === "file") return relativeFile(value, runId);
  if (decision === "script") return relativeFile(value, runId) ?? SCRIPT;
  if (decision === "receipt") return withoutPlaces(value, runId);
  if (decision === "event") return withoutPlaces(value, runId);
  if (decision === "state") return value === "conflict" ? value : "staged";
  return value;
}

/** Path of a file of the run below its folder; `null` for any other. */
export function relativeFile(path: string, runId: string): string | null {
  const folder = `/workflow-runs/${runId}/`;
  const at = path.lastIndexOf(folder);
  return at < 0 ? null : path.slice(at + folder.length);
}

/** What was in a working tree is on record; where the tree was is of no use elsewhere. */
function withoutPlaces(json: string, runId: string): string {
  const data = parseJson(json);
  if (!isRecord(data)) return json;
  const { worktree: _gone, ...kept } = data;
  const patch = typeof kept.patch === "string" ? relativeFile(kept.patch, runId) : undefined;
  return JSON.stringify(patch === undefined ? kept : { ...kept, patch: patch ?? "" });
}
