/**
 * The file that a run is exported to: a gzipped tar file with, in this order,
 *
 *     pallium-run.json            format, version, id of the run
 *     rows/<table>/<number>.jsonl rows, one a line, by column
 *     texts/<sha256>              the script, prompts and answers, named by their hash
 *     files/<path>                the run's folder
 *     manifest.json               bytes and SHA-256 of every entry before it
 *
 * Nothing in it is of the moment or the machine of its making but what the table below keeps.
 */
import type { SqlValue } from "../../platform/sqlite/database.ts";
import type { RUN_TABLES } from "./run-rows.ts";

export const FORMAT = "pallium-run";
/** Raised with every change that an older pallium would read wrongly. */
export const FORMAT_VERSION = 1;

export const HEADER_ENTRY = "pallium-run.json";
export const MANIFEST_ENTRY = "manifest.json";
export const ROWS = "rows/";
export const TEXTS = "texts/";
export const FILES = "files/";

/**
 * What becomes of a column on another machine. `keep`: it means the same there. `place`: it names a
 * place of the first machine, is kept to be read, and counts only where there is such a place. `run`: id
 * of the run. `id`: id of a record, the run's own. `ids`: JSON in which such ids stand. `file`: path of a
 * file of the run, which lies in its new folder. `script`: the same of the script, which every run has;
 * that of a run of the Go program may be lost. `receipt`: the receipt of an edit. `event`: data of the
 * journal. `state`: whether an edit is in the checkout, which no edit is yet. `origin`: where the run was
 * made. `{ local }`: of this machine alone, such as commands, processes, grants and folders that would be
 * written; left out, and this value in its place.
 */
export type Decision =
  | "keep"
  | "place"
  | "run"
  | "id"
  | "ids"
  | "file"
  | "script"
  | "receipt"
  | "event"
  | "state"
  | "origin"
  | { readonly local: SqlValue };

const LOCAL = { local: null } as const;

/** Every column of every table whose rows are exported. */
export const RUN_COLUMNS = {
  workflow_runs: {
    ...{ id: "run", task: "keep", cwd: "place", script_name: "keep", script_path: "script" },
    ...{ script_hash: "keep", script_artifact: "keep", script_changed: "keep", args_json: "keep" },
    ...{ loop_name: "keep", codex_binary: { local: "codex" }, max_agents: "keep" },
    ...{ max_agents_explicit: "keep", max_concurrent_agents: "keep", max_budget_usd: "keep" },
    ...{ max_tokens: "keep", retries: "keep", provider_concurrency: "keep", fallback: "keep" },
    ...{ agent_timeout_seconds: "keep", agent_timeout_explicit: "keep" },
    ...{ allow_network: { local: 0 }, limits_json: "keep", strict: "keep", status: "keep" },
    ...{ result: "keep", error: "keep", error_code: "keep", resume_after: "keep" },
    ...{ created_at: "keep", updated_at: "keep", completed_at: "keep", include_dirty: "keep" },
    ...{ links: LOCAL, collected_at: "keep", record_folder: LOCAL, replay_folder: LOCAL },
    ...{ owned_session_id: LOCAL, notify: LOCAL, origin: "origin" },
  },
  workflow_phases: {
    ...{ id: "id", run_id: "run", name: "keep", status: "keep", agent_count: "keep" },
    ...{ created_at: "keep", updated_at: "keep", completed_at: "keep" },
  },
  workflow_calls: {
    ...{ id: "id", run_id: "run", call_index: "keep", call_key: "keep", primitive: "keep" },
    ...{ phase: "keep", label: "keep", prompt_artifact: "keep", provider: "keep", repo: "place" },
    ...{ mode: "keep", model: "keep", schema_hash: "keep", script_hash: "keep", args_hash: "keep" },
    ...{ networked: "keep", superseded: "keep", cost_micros: "keep", cost_source: "keep" },
    ...{ input_tokens: "keep", output_tokens: "keep", attempts: "keep", usage_json: "keep" },
    ...{ status: "keep", outcome: "keep", output_artifact: "keep", error: "keep" },
    ...{ created_at: "keep", updated_at: "keep", completed_at: "keep", isolation: "keep" },
    ...{ worktree: LOCAL, patch_path: "file", receipt_json: "receipt", apply_state: "state" },
  },
  workflow_failures: {
    ...{ run_id: "run", ordinal: "keep", label: "keep", phase: "keep", error: "keep" },
  },
  workflow_events: {
    ...{ run_id: "run", seq: "keep", type: "keep", data: "event", fence: "keep" },
    created_at: "keep",
  },
  workflow_gates: {
    ...{ id: "id", run_id: "run", call_key: "keep", call_id: "id", name: "keep", message: "keep" },
    ...{ manual: "keep", status: "keep", reason: "keep", opened_at: "keep", decided_at: "keep" },
  },
  workflow_decisions: {
    ...{ id: "id", run_id: "run", cwd: "place", title: "keep", body: "keep", tags: "keep" },
    ...{ searched: "keep", created_at: "keep" },
  },
  workflow_edit_bases: {
    ...{ run_id: "run", root: "place", base_commit: "keep", base_tree: "keep" },
    ...{ start_tree: "keep", staged_tree: "keep", staged_calls: "ids", created_at: "keep" },
  },
  workflow_edits: {
    ...{ run_id: "run", seq: "keep", call_id: "id", root: "place", from_tree: "keep" },
    ...{ to_tree: "keep", staged_before: "keep", staged_after: "keep" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Decision>>>>;

export type ExportedTable = keyof typeof RUN_COLUMNS;

export const EXPORTED_TABLES = Object.keys(RUN_COLUMNS) as readonly ExportedTable[];

/** Requests to a runner, and what was done to checkouts: neither is anything on another machine. */
export const LEFT_OUT: readonly (typeof RUN_TABLES)[number][] = [
  "workflow_controls",
  "workflow_applications",
];

export function columnsOf(table: ExportedTable): readonly (readonly [string, Decision])[] {
  return Object.entries(RUN_COLUMNS[table]);
}

export function isExportedTable(name: string): name is ExportedTable {
  return Object.hasOwn(RUN_COLUMNS, name);
}

/** Which process works on a call, and in which working tree. */
const NOTES_OF_CALLS = ["pid", "workspace.json"];

/**
 * Files of a run's folder that stay behind: which store and process it belongs to, ids of processes,
 * working trees, work that was cut short, and what would have git look for objects elsewhere.
 * @param path relative to the folder.
 */
export function isExportedFile(path: string): boolean {
  const parts = path.split("/");
  const [top = ""] = parts;
  const name = parts.at(-1) ?? "";
  if (path === "run.json" || top === "worktrees") return false;
  if (top === "calls" && NOTES_OF_CALLS.includes(name)) return false;
  if (top === "objects" && (parts[2] === "info" || parts[2]?.startsWith("temporary-")))
    return false;
  return !/^\..+\.tmp$/.test(name);
}

/** Whether an entry's path stays below the folder it is unpacked to, on every system. */
export function isSafePath(path: string): boolean {
  const parts = path.split("/");
  return parts.every(
    (part) => part !== "" && part !== "." && part !== ".." && !/[\p{Cc}\\:]/u.test(part),
  );
}
