/**
 * What each record of the journal writes: an event, and the rows that lists and status read. Pure
 * SQL inside a transaction of the caller's.
 */
import { sha256 } from "../../platform/hash.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";
import type { EditBase, MergedEdit, StagedEdits } from "../edits/repo-edits.ts";
import { decideGate, openGate, reopenGate } from "./gate-records.ts";
import { callKey } from "./identity.ts";
import type { CallEnd, NestedStart, RunEnd, StartedCall } from "./journal.ts";
import type { Lease } from "./lease.ts";
import { type ApplyState, type EventType, isAgent, type RunFailure } from "./types.ts";

/** Highest numbers given out so far. */
export interface Counters {
  seq: number;
  callIndex: number;
  failures: number;
}

/** One attempt at a transaction; it counts on a copy, since it may run more than once. */
export interface RecordContext {
  readonly tx: Transaction;
  readonly lease: Lease;
  readonly scriptHash: string;
  readonly ids: Ids;
  readonly counters: Counters;
  readonly now: string;
}

export function recordStarted(context: RecordContext, call: StartedCall): void {
  context.counters.callIndex += 1;
  insertCall(context, call);
  if (call.phase !== "") touchPhase(context, call.phase, isAgent(call.primitive) ? 1 : 0);
  if (call.gate !== undefined) openGate(context, call, call.gate);
  const { prompt, gate, ...data } = call;
  writeEvent(context, "started", {
    ...data,
    ...(gate === undefined ? {} : { gate: gate.name }),
    key: callKey(call.identity),
    call_index: context.counters.callIndex,
    prompt: sha256(prompt),
  });
}

export function recordSettled(context: RecordContext, end: CallEnd): void {
  updateCall(context, end);
  if (end.failure !== undefined) addFailure(context, end.failure);
  if (end.gate !== undefined) decideGate(context, end.callId, end.gate);
  const { output, failure: _listed, gate, receipt: _kept, merged, ...data } = end;
  writeEvent(context, "settled", {
    ...data,
    ...(gate === undefined ? {} : { approved: gate.approved }),
    ...(merged === undefined ? {} : { merged }),
    key: callKey(end.identity),
    ...(output === undefined ? {} : { output: sha256(output) }),
  });
  if (merged !== undefined) insertEdit(context, merged);
}

export function recordEditsBegun(context: RecordContext, base: EditBase): void {
  context.tx.run(
    `INSERT INTO workflow_edit_bases (run_id, root, base_commit, base_tree, start_tree, staged_tree,
       created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    context.lease.runId,
    base.root,
    base.commit,
    base.tree,
    base.start,
    base.start,
    context.now,
  );
  writeEvent(context, "edits", base);
}

/** What later commands apply. */
export function recordEditsStaged(
  { tx, lease }: RecordContext,
  { root, tree, calls }: StagedEdits,
): void {
  tx.run(
    "UPDATE workflow_edit_bases SET staged_tree = ?, staged_calls = ? WHERE run_id = ? AND root = ?",
    tree,
    JSON.stringify(calls),
    lease.runId,
    root,
  );
}

export function recordAdopted(context: RecordContext, callId: string, phase: string): void {
  if (phase !== "") touchPhase(context, phase, 1);
  context.tx.run(
    "UPDATE workflow_calls SET status = 'running', updated_at = ? WHERE id = ?",
    context.now,
    callId,
  );
  writeEvent(context, "adopted", { callId, phase });
}

export function recordReplayed(context: RecordContext, callId: string, phase: string): void {
  if (phase !== "") touchPhase(context, phase, isAgent(primitiveOf(context, callId)) ? 1 : 0);
  writeEvent(context, "replayed", { callId, phase });
}

export function recordDropped(context: RecordContext, failure: RunFailure): void {
  addFailure(context, failure);
  writeEvent(context, "dropped", failure);
}

export function recordReopened(context: RecordContext, callId: string, reason: string): void {
  reopenGate(context, callId);
  writeEvent(context, "reopened", { callId, reason });
}

export function recordNested(context: RecordContext, start: NestedStart): void {
  const { scope, name, script, changed } = start;
  if (changed) {
    context.tx.run("UPDATE workflow_runs SET script_changed = 1 WHERE id = ?", context.lease.runId);
  }
  writeEvent(context, "nested", { scope, name, script: storeArtifact(context.tx, script) });
}

export function recordPhase(context: RecordContext, name: string, active: boolean): void {
  if (active) touchPhase(context, name, 0);
  else closePhases(context, name);
  writeEvent(context, "phase", { name, active });
}

export function recordRunning(context: RecordContext): void {
  resetRun(context);
  context.counters.failures = 0;
  writeEvent(context, "run", { status: "running" });
}

export function recordEnded(context: RecordContext, end: RunEnd): void {
  closePhases(context);
  endRun(context, end);
  const { result, ...data } = end;
  const stored = result === undefined ? {} : { result: storeArtifact(context.tx, result) };
  writeEvent(context, "run", { ...data, ...stored });
}

function writeEvent(context: RecordContext, type: EventType, data: object): void {
  context.counters.seq += 1;
  context.tx.run(
    "INSERT INTO workflow_events (run_id, seq, type, data, fence, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    context.lease.runId,
    context.counters.seq,
    type,
    JSON.stringify(data),
    context.lease.fence,
    context.now,
  );
}

function touchPhase({ tx, lease, ids, now }: RecordContext, name: string, calls: number): void {
  tx.run(
    `INSERT INTO workflow_phases (id, run_id, name, status, agent_count, created_at, updated_at)
     VALUES (?, ?, ?, 'running', ?, ?, ?)
     ON CONFLICT (run_id, name) DO UPDATE SET agent_count = agent_count + excluded.agent_count,
       status = 'running', completed_at = NULL, updated_at = excluded.updated_at`,
    ids.next("phase"),
    lease.runId,
    name,
    calls,
    now,
    now,
  );
}

function primitiveOf({ tx }: RecordContext, callId: string): string {
  const sql = "SELECT primitive FROM workflow_calls WHERE id = ?";
  return tx.get<{ primitive: string }>(sql, callId)?.primitive ?? "";
}

function addFailure({ tx, lease, counters }: RecordContext, failure: RunFailure): void {
  counters.failures += 1;
  tx.run(
    "INSERT INTO workflow_failures (run_id, ordinal, label, phase, error) VALUES (?, ?, ?, ?, ?)",
    lease.runId,
    counters.failures,
    failure.label ?? "",
    failure.phase ?? "",
    failure.error,
  );
}

/** Puts a text into the content-addressed artifacts and returns its hash. */
export function storeArtifact(tx: Transaction, body: string): string {
  const hash = sha256(body);
  tx.run("INSERT OR IGNORE INTO workflow_artifacts (hash, body) VALUES (?, ?)", hash, body);
  return hash;
}

/**
 * A new attempt at a call stands for the earlier ones, which stay on record. One that answered has
 * served an equal call, or it would have served this one; one at work is doing so.
 */
function insertCall(context: RecordContext, call: StartedCall): void {
  context.tx.run(
    `UPDATE workflow_calls SET superseded = 1
     WHERE run_id = ? AND call_key = ? AND status <> 'running' AND outcome IS NOT 'ok'`,
    context.lease.runId,
    callKey(call.identity),
  );
  context.tx.run(
    `INSERT INTO workflow_calls (id, run_id, call_index, call_key, primitive, phase, label, prompt_artifact,
       provider, repo, mode, isolation, model, schema_hash, script_hash, args_hash, networked, cost_micros,
       status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)`,
    call.callId,
    context.lease.runId,
    context.counters.callIndex,
    callKey(call.identity),
    call.primitive,
    call.phase,
    call.label,
    storeArtifact(context.tx, call.prompt),
    call.provider,
    call.repo,
    call.mode,
    call.isolation,
    call.model,
    call.schemaHash,
    context.scriptHash,
    call.argsHash,
    call.networked ? 1 : 0,
    call.costMicros,
    context.now,
    context.now,
  );
}

function updateCall(context: RecordContext, end: CallEnd): void {
  context.tx.run(
    `UPDATE workflow_calls SET status = ?, outcome = ?, output_artifact = ?, error = ?, usage_json = ?,
       cost_micros = ?, cost_source = ?, input_tokens = ?, output_tokens = ?, attempts = ?,
       worktree = ?, patch_path = ?, receipt_json = ?, apply_state = ?, updated_at = ?, completed_at = ?
     WHERE id = ?`,
    end.status,
    end.outcome,
    end.output === undefined ? null : storeArtifact(context.tx, end.output),
    end.error ?? null,
    end.usage ?? null,
    end.costMicros,
    end.costSource ?? null,
    end.inputTokens,
    end.outputTokens,
    end.attempts,
    end.worktree ?? null,
    end.receipt?.patch ?? null,
    end.receipt === undefined ? null : JSON.stringify(end.receipt),
    applyState(end),
    context.now,
    context.now,
    end.callId,
  );
}

function applyState({ receipt, merged }: CallEnd): ApplyState | null {
  if (merged !== undefined) return "staged";
  return receipt === undefined ? null : "conflict";
}

function insertEdit(
  context: RecordContext,
  { callId, root, from, to, before, after, calls }: MergedEdit & StagedEdits,
): void {
  const { tx, lease, counters } = context;
  recordEditsStaged(context, { root, tree: after, calls });
  tx.run(
    `INSERT INTO workflow_edits (run_id, seq, call_id, root, from_tree, to_tree, staged_before, staged_after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    lease.runId,
    counters.seq,
    callId,
    root,
    from,
    to,
    before,
    after,
  );
}

function closePhases({ tx, lease, now }: RecordContext, name?: string): void {
  const only = name === undefined ? "" : " AND name = ?";
  tx.run(
    `UPDATE workflow_phases SET status = 'completed', updated_at = ?, completed_at = ?
     WHERE run_id = ? AND status = 'running'${only}`,
    now,
    now,
    lease.runId,
    ...(name === undefined ? [] : [name]),
  );
}

/** Clears what the last execution left: its result, failures, phase counts and calls without an end. */
function resetRun({ tx, lease, now }: RecordContext): void {
  tx.run(
    `UPDATE workflow_runs SET status = 'running', result = NULL, error = NULL, error_code = NULL,
       resume_after = NULL, completed_at = NULL, updated_at = ? WHERE id = ?`,
    now,
    lease.runId,
  );
  tx.run("DELETE FROM workflow_failures WHERE run_id = ?", lease.runId);
  tx.run("UPDATE workflow_phases SET agent_count = 0 WHERE run_id = ?", lease.runId);
  tx.run(
    `UPDATE workflow_calls SET status = 'interrupted', updated_at = ? WHERE run_id = ? AND status = 'running'`,
    now,
    lease.runId,
  );
}

function endRun({ tx, lease, now }: RecordContext, end: RunEnd): void {
  tx.run(
    `UPDATE workflow_runs SET status = ?, result = ?, error = ?, error_code = ?, resume_after = ?,
       updated_at = ?, completed_at = ? WHERE id = ?`,
    end.status,
    end.result ?? null,
    end.error ?? null,
    end.errorCode ?? null,
    end.resumeAfter ?? null,
    now,
    end.status === "paused" || end.status === "interrupted" ? null : now,
    lease.runId,
  );
}
