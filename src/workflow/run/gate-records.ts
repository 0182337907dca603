/**
 * What the journal writes about gates: a row per gate beside the records of its calls, and what was
 * decided about it from outside. Pure SQL inside a transaction of the caller's.
 */
import { isRecord, parseJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import { type CallIdentity, callKey } from "./identity.ts";
import type { CallEnd, StartedCall } from "./journal.ts";
import type { Lease } from "./lease.ts";
import type { CostSource, GateRequest, GateVerdict } from "./types.ts";

interface GateContext {
  readonly tx: Transaction;
  readonly lease: Lease;
  readonly ids: Ids;
  readonly now: string;
}

/** What another process may ask about a gate. */
export const GATE_ACTIONS = ["approve", "reject", "reopen"] as const;
export type GateAction = (typeof GATE_ACTIONS)[number];

/** A request that no runner has taken up yet. */
export interface GateControl {
  readonly id: number;
  readonly gate_id: string;
  /** The latest call of the gate. */
  readonly call_id: string;
  readonly action: GateAction;
  readonly reason: string;
  readonly requested_at: string;
}

/** In the order in which they were made; of several about one gate the last counts. */
export function readGateControls(reader: Reader, runId: string): GateControl[] {
  return reader.all<GateControl>(
    `SELECT c.id, c.gate_id, g.call_id, c.action, coalesce(c.reason, '') AS reason, c.requested_at
     FROM workflow_controls c JOIN workflow_gates g ON g.id = c.gate_id
     WHERE c.run_id = ? ORDER BY c.id`,
    runId,
  );
}

export interface NewGateControl {
  readonly runId: string;
  readonly gateId: string;
  readonly action: GateAction;
  readonly reason: string;
}

/** Leaves a request for the runner of a run, this one or a later one. */
export function requestGate(tx: Transaction, request: NewGateControl, clock: Clock): void {
  tx.run(
    `INSERT INTO workflow_controls (run_id, action, requested_at, gate_id, reason)
     VALUES (?, ?, ?, ?, ?)`,
    request.runId,
    request.action,
    clock.iso(),
    request.gateId,
    request.reason,
  );
}

/** The answer of a gate that a person decided, as that of an agent would be. */
export function handVerdict({ action, reason }: Pick<GateControl, "action" | "reason">): string {
  return JSON.stringify({ approved: action === "approve", reason, manual: true });
}

/** The gate of a call that begins is open, whatever was decided about it before. */
export function openGate(
  { tx, lease, ids, now }: GateContext,
  { identity, callId }: StartedCall,
  { name, message, manual }: GateRequest,
): void {
  tx.run(
    `INSERT INTO workflow_gates (id, run_id, call_key, call_id, name, message, manual, status, opened_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?)
     ON CONFLICT (run_id, call_key) DO UPDATE SET call_id = excluded.call_id, status = 'open', reason = '',
       decided_at = NULL, opened_at = iif(status = 'open', opened_at, excluded.opened_at)`,
    ids.next("gate"),
    lease.runId,
    callKey(identity),
    callId,
    name,
    message,
    manual ? 1 : 0,
    now,
  );
}

export function decideGate(
  { tx, now }: Pick<GateContext, "tx" | "now">,
  callId: string,
  { approved, reason }: GateVerdict,
): void {
  tx.run(
    "UPDATE workflow_gates SET status = ?, reason = ?, decided_at = ? WHERE call_id = ?",
    approved ? "approved" : "rejected",
    reason,
    now,
    callId,
  );
  tx.run(
    `DELETE FROM workflow_controls WHERE action <> 'reopen'
       AND gate_id = (SELECT id FROM workflow_gates WHERE call_id = ?)`,
    callId,
  );
}

/** Has the gate asked again: the call that decided it answers for it no more. */
export function reopenGate({ tx }: Pick<GateContext, "tx">, callId: string): void {
  tx.run("UPDATE workflow_calls SET superseded = 1 WHERE id = ?", callId);
  tx.run(
    "UPDATE workflow_gates SET status = 'open', reason = '', decided_at = NULL WHERE call_id = ?",
    callId,
  );
}

interface SpentRow {
  readonly cost_micros: number;
  readonly cost_source: CostSource | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly attempts: number;
  readonly usage_json: string | null;
}

/**
 * The end of a call that a person decided in the place of whoever was asked, who may have been paid
 * for it. Absent where the call is not on record.
 */
export function handEnd(reader: Reader, runId: string, control: GateControl): CallEnd | undefined {
  const identity = identityOf(reader, runId, control.call_id);
  const spent = reader.get<SpentRow>("SELECT * FROM workflow_calls WHERE id = ?", control.call_id);
  if (identity === undefined || spent === undefined) return undefined;
  return {
    callId: control.call_id,
    identity,
    status: "completed",
    outcome: "ok",
    output: handVerdict(control),
    ...optional({
      usage: spent.usage_json ?? undefined,
      costSource: spent.cost_source ?? undefined,
    }),
    costMicros: spent.cost_micros,
    inputTokens: spent.input_tokens,
    outputTokens: spent.output_tokens,
    attempts: spent.attempts,
    gate: { approved: control.action === "approve", reason: control.reason },
  };
}

function identityOf(reader: Reader, runId: string, callId: string): CallIdentity | undefined {
  const row = reader.get<{ data: string }>(
    `SELECT data FROM workflow_events
     WHERE run_id = ? AND type = 'started' AND data ->> '$.callId' = ? ORDER BY seq DESC LIMIT 1`,
    runId,
    callId,
  );
  const event = row === undefined ? undefined : parseJson(row.data);
  return isRecord(event) && isRecord(event.identity)
    ? (event.identity as unknown as CallIdentity)
    : undefined;
}
