/** A runner takes up what was decided about the gates of its run while nobody executed it. */
import type { Ids } from "../../platform/ids.ts";
import type { Reader, Transaction } from "../../platform/sqlite/database.ts";
import { handEnd, handVerdict, readGateControls } from "./gate-records.ts";
import { type RecordContext, recordReopened, recordSettled } from "./journal-records.ts";
import type { Lease } from "./lease.ts";
import type { SettledCall } from "./replay.ts";
import { readCounters } from "./sqlite-journal.ts";

export interface GateTaking {
  readonly lease: Lease;
  readonly scriptHash: string;
  readonly ids: Ids;
  readonly now: string;
}

export interface DecidedCall {
  readonly callId: string;
}

/**
 * Puts the decisions into the journal, inside the transaction that claims the run.
 * @returns calls that are decided and may still be at work: what runs of them is to be ended.
 */
export function applyGateControls(tx: Transaction, taking: GateTaking): readonly DecidedCall[] {
  const { runId } = taking.lease;
  const controls = readGateControls(tx, runId);
  if (controls.length === 0) return [];
  const context: RecordContext = { ...taking, tx, counters: readCounters(tx, runId) };
  const decided = new Set<string>();
  for (const control of controls) {
    if (control.action === "reopen") {
      recordReopened(context, control.call_id, control.reason);
      continue;
    }
    const end = handEnd(tx, runId, control);
    if (end === undefined) continue;
    tx.run("UPDATE workflow_calls SET superseded = 0 WHERE id = ?", control.call_id);
    recordSettled(context, end);
    decided.add(control.call_id);
  }
  tx.run("DELETE FROM workflow_controls WHERE run_id = ? AND gate_id IS NOT NULL", runId);
  return [...decided].map((callId) => ({ callId }));
}

/** What would answer calls once a runner took the decisions up. */
export function withGateControls(
  reader: Reader,
  runId: string,
  settled: readonly SettledCall[],
): readonly SettledCall[] {
  const calls = new Map(settled.map((call) => [call.callId, call]));
  for (const control of readGateControls(reader, runId)) {
    calls.delete(control.call_id);
    const end = control.action === "reopen" ? undefined : handEnd(reader, runId, control);
    if (end === undefined) continue;
    const { identity, callId } = end;
    calls.set(callId, { identity, callId, output: handVerdict(control), seen: [] });
  }
  return [...calls.values()];
}
