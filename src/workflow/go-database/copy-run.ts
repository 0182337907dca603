/** Copies one run of the Go program: what it recorded, in the tables and words of this program. */
import { basename } from "node:path";
import {
  type GoRow,
  integerOf,
  numberOf,
  oneOf,
  textOf,
  textOrNull,
  timeOf,
} from "../../lib/go-row.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { MICROS_PER_DOLLAR } from "../../lib/money.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import { folded } from "../run/decision-search.ts";
import { insertRow } from "../run/insert-row.ts";
import { storeArtifact } from "../run/journal-records.ts";
import { RUN_DEFAULTS } from "../run/limits.ts";
import { type AgentStatus, RUN_STATUSES, type RunStatus } from "../run/types.ts";
import type { GoDatabase, GoTable } from "./read-database.ts";

/** The script that a run executed, where the Go program's copy of it is still there. */
export interface GoScript {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const AGENT_STATUSES: readonly AgentStatus[] = [
  "running",
  "completed",
  "failed",
  "stopped",
  "paused",
  "interrupted",
];
const OUTCOMES: Readonly<Partial<Record<AgentStatus, CallOutcome>>> = {
  completed: "ok",
  failed: "failed",
  stopped: "cancelled",
  paused: "cancelled",
};
const OPEN: readonly RunStatus[] = ["queued", "running"];
/** Where nothing is said the Go program had codex work, to read only. */
const DEFAULT_PROVIDER = "codex";
const DEFAULT_MODE = "read-only";

/**
 * @param run its row. Nobody executes it any more: one that reads as running was interrupted.
 * @returns false for a row that cannot be a run: nothing was written.
 */
export function copyGoRun(
  tx: Transaction,
  go: GoDatabase,
  run: GoRow,
  script: GoScript | undefined,
): boolean {
  const [id, createdAt] = [textOf(run, "id"), timeOf(run, "created_at")];
  if (id === "" || createdAt === undefined) return false;
  const updatedAt = timeOf(run, "updated_at") ?? createdAt;
  writeRun(tx, run, { script, createdAt, updatedAt });
  const rows = (table: GoTable) =>
    go.keysOf(table, id).flatMap((key) => [() => go.row(table, key) ?? {}]);
  for (const read of rows("workflow_phases")) copyPhase(tx, id, read(), updatedAt);
  copyCalls(tx, id, rows("workflow_agents"), updatedAt);
  for (const read of rows("workflow_gates")) copyGate(tx, id, read(), updatedAt);
  for (const read of rows("workflow_decisions")) copyGoDecision(tx, read(), textOf(run, "cwd"));
  copyFailures(tx, id, textOf(run, "failures"));
  return true;
}

interface RunTimes {
  readonly script: GoScript | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

function writeRun(tx: Transaction, run: GoRow, { script, createdAt, updatedAt }: RunTimes): void {
  const status = oneOf(run, "status", RUN_STATUSES, "interrupted");
  const isCut = OPEN.includes(status);
  const path = textOf(run, "script_path");
  const maxAgents = integerOf(run, "max_agents");
  const timeout = integerOf(run, "agent_timeout_seconds");
  insertRow(tx, "workflow_runs", {
    id: textOf(run, "id"),
    task: textOf(run, "task"),
    cwd: textOf(run, "cwd"),
    script_name: basename(path) || "workflow.js",
    script_path: script?.path ?? path,
    script_hash: textOf(run, "script_hash"),
    script_artifact: script === undefined ? "" : storeArtifact(tx, script.text),
    script_changed: integerOf(run, "script_changed") === 0 ? 0 : 1,
    args_json: textOrNull(run, "args_json"),
    loop_name: textOrNull(run, "loop_name"),
    owned_session_id: textOrNull(run, "owned_session_id"),
    codex_binary: DEFAULT_PROVIDER,
    max_agents: maxAgents > 0 ? maxAgents : RUN_DEFAULTS.max_agents,
    max_agents_explicit: maxAgents > 0 ? 1 : 0,
    max_concurrent_agents: RUN_DEFAULTS.max_concurrent_agents,
    max_budget_usd: textOrNull(run, "max_budget_usd"),
    retries: 0,
    agent_timeout_seconds: timeout,
    agent_timeout_explicit: integerOf(run, "agent_timeout_explicit") === 0 ? 0 : 1,
    allow_network: integerOf(run, "allow_network") === 0 ? 0 : 1,
    limits_json: "{}",
    strict: 0,
    status: isCut ? "interrupted" : status,
    result: textOrNull(run, "result"),
    error: textOrNull(run, "error") ?? (isCut ? "the runner died" : null),
    error_code: isCut ? "runner_died" : null,
    origin: "go",
    created_at: createdAt,
    updated_at: updatedAt,
    completed_at: timeOf(run, "completed_at") ?? null,
  });
}

/** A phase that was entered twice may have two rows there. */
function copyPhase(tx: Transaction, runId: string, row: GoRow, otherwise: string): void {
  const updatedAt = timeOf(row, "updated_at") ?? otherwise;
  tx.run(
    `INSERT INTO workflow_phases
       (id, run_id, name, status, agent_count, created_at, updated_at, completed_at)
     VALUES (?, ?, ?, 'completed', ?, ?, ?, ?)
     ON CONFLICT (run_id, name) DO UPDATE SET agent_count = agent_count + excluded.agent_count,
       updated_at = excluded.updated_at, completed_at = excluded.completed_at`,
    textOf(row, "id"),
    runId,
    textOf(row, "name"),
    integerOf(row, "agent_count"),
    timeOf(row, "created_at") ?? updatedAt,
    updatedAt,
    timeOf(row, "completed_at") ?? updatedAt,
  );
}

/**
 * Calls are numbered anew, in the old order: there a repeated call had the number of the first
 * attempt, which the later one stands for.
 */
function copyCalls(
  tx: Transaction,
  runId: string,
  reads: readonly (() => GoRow)[],
  otherwise: string,
): void {
  const failedAt = new Map<number, string>();
  for (const [at, read] of reads.entries()) {
    const row = read();
    const [id, index] = [textOf(row, "id"), integerOf(row, "call_index")];
    const before = index === 0 ? undefined : failedAt.get(index);
    if (before !== undefined) {
      tx.run("UPDATE workflow_calls SET superseded = 1 WHERE id = ?", before);
    }
    writeCall(tx, row, { runId, index: at + 1, otherwise });
    if (textOf(row, "status") === "completed") failedAt.delete(index);
    else failedAt.set(index, id);
  }
}

function writeCall(
  tx: Transaction,
  row: GoRow,
  { runId, index, otherwise }: { runId: string; index: number; otherwise: string },
): void {
  const found = oneOf(row, "status", AGENT_STATUSES, "interrupted");
  const status = found === "running" ? "interrupted" : found;
  const createdAt = timeOf(row, "created_at") ?? otherwise;
  const output = textOrNull(row, "output");
  const cost = Math.max(0, numberOf(row, "estimated_cost_usd"));
  const mode = textOf(row, "mode") || DEFAULT_MODE;
  insertRow(tx, "workflow_calls", {
    id: textOf(row, "id"),
    run_id: runId,
    call_index: index,
    call_key: `go:${index}`,
    primitive: mode === "check" ? "check" : "agent",
    phase: textOf(row, "phase"),
    label: textOf(row, "label"),
    prompt_artifact: storeArtifact(tx, textOf(row, "prompt")),
    provider: textOf(row, "provider") || DEFAULT_PROVIDER,
    repo: textOf(row, "repo"),
    mode,
    isolation: textOf(row, "isolation"),
    model: textOf(row, "model"),
    schema_hash: textOf(row, "schema_hash"),
    script_hash: textOf(row, "script_hash"),
    args_hash: textOf(row, "args_hash"),
    networked: integerOf(row, "networked") === 0 ? 0 : 1,
    cost_micros: Math.round(cost * MICROS_PER_DOLLAR),
    cost_source: cost > 0 ? "estimated" : null,
    usage_json: textOrNull(row, "usage_json"),
    status,
    outcome: OUTCOMES[status] ?? null,
    output_artifact: output === null ? null : storeArtifact(tx, output),
    error: textOrNull(row, "error"),
    worktree: textOrNull(row, "worktree"),
    patch_path: textOrNull(row, "patch_path"),
    created_at: createdAt,
    updated_at: timeOf(row, "updated_at") ?? createdAt,
    completed_at: timeOf(row, "completed_at") ?? null,
  });
}

function copyGate(tx: Transaction, runId: string, row: GoRow, otherwise: string): void {
  insertRow(tx, "workflow_gates", {
    id: textOf(row, "id"),
    run_id: runId,
    call_key: `go:${textOf(row, "id")}`,
    call_id: "",
    name: textOf(row, "name"),
    message: textOf(row, "message"),
    manual: 0,
    status: oneOf(row, "status", ["open", "approved", "rejected"], "open"),
    opened_at: timeOf(row, "opened_at") ?? otherwise,
    decided_at: timeOf(row, "approved_at") ?? null,
  });
}

/** @param cwd directory of its run, by which repositories find it. */
export function copyGoDecision(tx: Transaction, row: GoRow, cwd: string): boolean {
  const [id, title, body] = [textOf(row, "id"), textOf(row, "title"), textOf(row, "body")];
  const createdAt = timeOf(row, "created_at");
  if (id === "" || title === "" || createdAt === undefined) return false;
  const list = parseJson(textOf(row, "tags"));
  const tags = Array.isArray(list) ? list.filter((tag) => typeof tag === "string") : [];
  const { changes } = tx.run(
    `INSERT OR IGNORE INTO workflow_decisions
       (id, run_id, cwd, title, body, tags, searched, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    textOf(row, "run_id"),
    cwd,
    title,
    body,
    JSON.stringify(tags),
    folded([title, body, ...tags].join("\n")),
    createdAt,
  );
  return changes > 0;
}

function copyFailures(tx: Transaction, runId: string, json: string): void {
  const list = parseJson(json);
  if (!Array.isArray(list)) return;
  for (const [at, failure] of list.filter(isRecord).entries()) {
    insertRow(tx, "workflow_failures", {
      run_id: runId,
      ordinal: at + 1,
      label: textOf(failure, "label"),
      phase: textOf(failure, "phase"),
      error: textOf(failure, "error"),
    });
  }
}
