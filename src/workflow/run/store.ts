/** Reads of the workflow store: rows to the records that users see. Nothing here writes. */

import { PalliumError } from "../../lib/errors.ts";
import { toDollars } from "../../lib/money.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import { sessionsOfRun } from "./call-sessions.ts";
import {
  type AgentRecord,
  type AgentStatus,
  type ApplyState,
  type CostSource,
  type EditReceipt,
  IS_AGENT,
  type PhaseRecord,
  type RunFailure,
  type RunOrigin,
  type RunRecord,
  type RunStatus,
  type Snapshot,
} from "./types.ts";

type Reader = Pick<Database, "get" | "all">;

/** A row of `workflow_runs`, with the owner's pid and heartbeat from its lease. */
export interface RunRow {
  readonly id: string;
  readonly task: string;
  readonly cwd: string;
  readonly script_name: string;
  readonly script_path: string;
  readonly script_hash: string;
  /** The script as it was claimed last; `script_hash` is that of the first time. */
  readonly script_artifact: string;
  readonly script_changed: number;
  readonly args_json: string | null;
  readonly loop_name: string | null;
  readonly owned_session_id: string | null;
  readonly notify: string | null;
  readonly codex_binary: string;
  readonly max_agents: number;
  readonly max_agents_explicit: number;
  readonly max_concurrent_agents: number;
  readonly max_budget_usd: string | null;
  readonly max_tokens: number | null;
  readonly retries: number;
  readonly provider_concurrency: string | null;
  readonly fallback: string | null;
  readonly agent_timeout_seconds: number;
  readonly agent_timeout_explicit: number;
  readonly allow_network: number;
  readonly include_dirty: number;
  readonly links: string | null;
  readonly record_folder: string | null;
  readonly replay_folder: string | null;
  readonly limits_json: string;
  readonly strict: number;
  readonly status: RunStatus;
  readonly result: string | null;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly resume_after: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
  /** When its files were given up; `null` while they are kept. */
  readonly collected_at: string | null;
  /** Absent for a run that was made here. */
  readonly origin: RunOrigin | null;
  readonly owner_pid: number | null;
  readonly heartbeat_at: string | null;
}

interface CallRow {
  readonly id: string;
  readonly run_id: string;
  readonly call_index: number;
  readonly phase: string;
  readonly label: string;
  readonly prompt: string;
  readonly provider: string;
  readonly repo: string;
  readonly mode: string;
  readonly model: string;
  readonly schema_hash: string;
  readonly script_hash: string;
  readonly args_hash: string;
  readonly networked: number;
  readonly isolation: string;
  readonly worktree: string | null;
  readonly patch_path: string | null;
  readonly receipt_json: string | null;
  readonly apply_state: ApplyState | null;
  readonly superseded: number;
  readonly cost_micros: number;
  readonly cost_source: CostSource | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly attempts: number;
  readonly usage_json: string | null;
  readonly status: AgentStatus;
  readonly outcome: CallOutcome | null;
  readonly output: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
}

const SELECT_RUN = `SELECT r.*, l.owner_pid, l.heartbeat_at
  FROM workflow_runs r LEFT JOIN workflow_leases l ON l.run_id = r.id`;

export function findRun(reader: Reader, id: string): RunRow | undefined {
  return reader.get<RunRow>(`${SELECT_RUN} WHERE r.id = ?`, id);
}

/** @throws PalliumError `run_not_found` */
export function requireRun(reader: Reader, id: string): RunRow {
  const row = findRun(reader, id);
  if (row !== undefined) return row;
  throw new PalliumError("run_not_found", `no workflow run has the id ${id}`, {
    hints: ["see the ids of recent runs: pallium workflow list"],
  });
}

/** A text that a row names by its hash. */
export function requireArtifact(reader: Reader, hash: string): string {
  const row = reader.get<{ body: string }>(
    "SELECT body FROM workflow_artifacts WHERE hash = ?",
    hash,
  );
  if (row !== undefined) return row.body;
  throw new PalliumError("database_corrupt", `the store has lost a text of the run: ${hash}`, {
    hints: ["restore the store from a backup"],
  });
}

/** Rows whose run is in the list of ids that a parameter holds as JSON. */
export const OF_RUNS = "run_id IN (SELECT value FROM json_each(?))";

export function listRuns(reader: Reader, limit: number): RunRecord[] {
  const sql = `${SELECT_RUN} ORDER BY r.updated_at DESC, r.id DESC LIMIT ?`;
  return withFailures(reader, reader.all<RunRow>(sql, limit));
}

/** The runs of these ids that there are, the one changed last first. */
export function readRuns(reader: Reader, ids: readonly string[]): RunRecord[] {
  const sql = `${SELECT_RUN} WHERE r.id IN (SELECT value FROM json_each(?))
    ORDER BY r.updated_at DESC, r.id DESC`;
  return withFailures(reader, reader.all<RunRow>(sql, JSON.stringify(ids)));
}

interface FailureRow {
  readonly run_id: string;
  readonly label: string;
  readonly phase: string;
  readonly error: string;
}

function withFailures(reader: Reader, rows: readonly RunRow[]): RunRecord[] {
  const failures = reader.all<FailureRow>(
    `SELECT run_id, label, phase, error FROM workflow_failures WHERE ${OF_RUNS}
     ORDER BY run_id, ordinal`,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  const byRun = Map.groupBy(failures, ({ run_id }) => run_id);
  return rows.map((row) => runRecord(row, (byRun.get(row.id) ?? []).map(runFailure)));
}

export function listFailures(reader: Reader, runId: string): RunFailure[] {
  return reader
    .all<FailureRow>("SELECT * FROM workflow_failures WHERE run_id = ? ORDER BY ordinal", runId)
    .map(runFailure);
}

function runFailure({ label, phase, error }: FailureRow): RunFailure {
  return { ...filled({ label, phase }), error };
}

/** Phases by creation, calls by the order in which they started. */
export function readSnapshot(reader: Reader, row: RunRow): Snapshot {
  return { ...readOutline(reader, row), agents: listAgents(reader, row.id, BODIES) };
}

/** A snapshot whose calls have empty prompts and no outputs, which may be megabytes each. */
export function readOutline(reader: Reader, row: RunRow): Snapshot {
  return {
    run: runRecord(row, listFailures(reader, row.id)),
    phases: listPhases(reader, row.id),
    agents: listAgents(reader, row.id, NO_BODIES),
  };
}

function listPhases(reader: Reader, runId: string): PhaseRecord[] {
  return reader
    .all<Omit<PhaseRecord, "completed_at"> & { completed_at: string | null }>(
      "SELECT * FROM workflow_phases WHERE run_id = ? ORDER BY created_at, id",
      runId,
    )
    .map(({ completed_at, ...phase }) => ({ ...phase, ...filled({ completed_at }) }));
}

const BODIES = `SELECT c.*, p.body AS prompt, o.body AS output FROM workflow_calls c
  LEFT JOIN workflow_artifacts p ON p.hash = c.prompt_artifact
  LEFT JOIN workflow_artifacts o ON o.hash = c.output_artifact`;
const NO_BODIES = "SELECT c.*, '' AS prompt, NULL AS output FROM workflow_calls c";

function listAgents(reader: Reader, runId: string, select: string): AgentRecord[] {
  const sessions = new Map(
    sessionsOfRun(reader, runId).map(({ call_id, session_id }) => [call_id, session_id]),
  );
  return reader
    .all<CallRow>(`${select} WHERE c.run_id = ? AND c.${IS_AGENT} ORDER BY c.call_index`, runId)
    .map((row) => ({
      ...agentRecord(row),
      ...filled({ session_id: sessions.get(row.id) ?? null }),
    }));
}

export function runRecord(row: RunRow, failures: readonly RunFailure[]): RunRecord {
  return {
    id: row.id,
    task: row.task,
    cwd: row.cwd,
    script_path: row.script_path,
    ...filled({
      args_json: row.args_json,
      max_agents: row.max_agents_explicit === 1 ? row.max_agents : 0,
      max_budget_usd: row.max_budget_usd,
    }),
    ...(row.max_tokens === null ? {} : { max_tokens: row.max_tokens }),
    ...filled({
      agent_timeout_seconds: row.agent_timeout_explicit === 1 ? row.agent_timeout_seconds : 0,
      agent_timeout_explicit: row.agent_timeout_explicit === 1,
      max_concurrent_agents: row.max_concurrent_agents,
      allow_network: row.allow_network === 1,
      include_dirty: row.include_dirty === 1,
      links: row.links,
      record: row.record_folder,
      replay: row.replay_folder,
      strict: row.strict === 1,
    }),
    status: row.status,
    ...filled({
      result: row.result,
      error: row.error,
      error_code: row.error_code,
      resume_after: row.resume_after,
      failures: failures.length === 0 ? null : failures,
      script_hash: row.script_hash,
      script_changed: row.script_changed === 1,
      loop_name: row.loop_name,
      owned_session_id: row.owned_session_id,
      owner_pid: row.owner_pid,
      heartbeat_at: row.heartbeat_at,
    }),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...filled({
      completed_at: row.completed_at,
      collected_at: row.collected_at,
      origin: row.origin,
    }),
  };
}

function agentRecord(row: CallRow): AgentRecord {
  return {
    id: row.id,
    run_id: row.run_id,
    call_index: row.call_index,
    ...filled({ phase: row.phase, label: row.label }),
    prompt: row.prompt,
    provider: row.provider,
    ...filled({ repo: row.repo }),
    mode: row.mode,
    ...filled({
      isolation: row.isolation,
      model: row.model,
      schema_hash: row.schema_hash,
      script_hash: row.script_hash,
      args_hash: row.args_hash,
      estimated_cost_usd: toDollars(row.cost_micros),
      cost_source: row.cost_source,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      attempts: row.attempts > 1 ? row.attempts : 0,
      usage_json: row.usage_json,
    }),
    status: row.status,
    ...filled({
      outcome: row.outcome,
      output: row.output,
      error: row.error,
      networked: row.networked === 1,
      patch_path: row.patch_path,
      worktree: row.worktree,
      apply_state: row.apply_state,
      receipt: row.receipt_json === null ? null : (JSON.parse(row.receipt_json) as EditReceipt),
      superseded: row.superseded === 1,
    }),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...filled({ completed_at: row.completed_at }),
  };
}

type Filled<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that hold something: `null`, `""`, `0` and `false` are left out. */
function filled<T extends object>(fields: T): Filled<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as Filled<T>;
}
