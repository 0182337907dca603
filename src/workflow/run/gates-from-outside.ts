/** `workflow gate …`: what there is to decide in a run, and the decisions of persons about it. */
import { PalliumError } from "../../lib/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import { shellQuote } from "../../repo/verification/display.ts";
import { assertNotCollected } from "./collected.ts";
import {
  type GateAction,
  type GateControl,
  readGateControls,
  requestGate,
} from "./gate-records.ts";
import { leaseHolder } from "./lease.ts";
import { assertNotFromGo } from "./origin.ts";
import { requireRun } from "./store.ts";
import type { GateRecord, GateStatus } from "./types.ts";

const MOST_HINTS = 5;

interface GateRow {
  readonly id: string;
  readonly run_id: string;
  readonly call_id: string;
  readonly name: string;
  readonly message: string;
  readonly manual: number;
  readonly status: GateStatus;
  readonly reason: string;
  readonly opened_at: string;
  readonly decided_at: string | null;
  /** Of the call that decides it. */
  readonly call_status: string | null;
}

export interface GateDecisionRequest {
  readonly id: string;
  /** May be left out where only one gate can be meant. */
  readonly name?: string;
  /** Tells gates of the same name apart. */
  readonly gate?: string;
  readonly reason?: string;
}

export interface DecidedGate extends GateRecord {
  /** Whether a runner waits for this decision; otherwise the next resume takes it up. */
  readonly awaited: boolean;
}

interface Gate {
  readonly record: GateRecord;
  /** Whether its call has begun and not ended, as far as is on record. */
  readonly isAtWork: boolean;
}

/** The newest first; what was decided and no runner has taken up yet counts. @throws PalliumError `run_not_found` */
export function listGates(reader: Reader, runId: string): GateRecord[] {
  requireRun(reader, runId);
  return readGates(reader, runId).map(({ record }) => record);
}

/**
 * Leaves the decision for the runner: one that waits for it goes on at once, others find it when the
 * run is resumed.
 * @throws PalliumError `run_not_found`, `run_collected`, `gate_not_found`, `gate_ambiguous`, `gate_decided`, `gate_open`
 *   or `gate_at_work`.
 */
export function decideFromOutside(
  database: Database,
  clock: Clock,
  action: GateAction,
  request: GateDecisionRequest,
): Promise<DecidedGate> {
  const { id: runId, reason = "" } = request;
  return database.write((tx) => {
    const run = requireRun(tx, runId);
    assertNotCollected(run, "resumed, whatever is decided");
    assertNotFromGo(run, "resumed, whatever is decided");
    const gate = chosenGate(readGates(tx, runId), action, request);
    const isLive = gate.isAtWork && leaseHolder(tx, runId, clock) !== undefined;
    if (action !== "reopen" && isLive && !gate.record.manual) throw gateAtWork(gate.record);
    requestGate(tx, { runId, gateId: gate.record.id, action, reason }, clock);
    const decided = readGates(tx, runId).find(({ record }) => record.id === gate.record.id);
    return { ...(decided ?? gate).record, awaited: isLive };
  });
}

function readGates(reader: Reader, runId: string): Gate[] {
  const rows = reader.all<GateRow>(
    `SELECT g.*, c.status AS call_status FROM workflow_gates g
     LEFT JOIN workflow_calls c ON c.id = g.call_id
     WHERE g.run_id = ? ORDER BY g.opened_at DESC, g.id DESC`,
    runId,
  );
  const controls = new Map(
    readGateControls(reader, runId).map((control) => [control.gate_id, control]),
  );
  return rows.map((row) => ({
    record: gateRecord(row, controls.get(row.id)),
    isAtWork: row.call_status === "running",
  }));
}

const STATUS_AFTER = { approve: "approved", reject: "rejected", reopen: "open" } as const;

function gateRecord(row: GateRow, control: GateControl | undefined): GateRecord {
  const { id, run_id, call_id, name, message, opened_at } = row;
  const status = control === undefined ? row.status : STATUS_AFTER[control.action];
  const reason = control === undefined ? row.reason : control.reason;
  const decidedAt = control === undefined ? row.decided_at : control.requested_at;
  return {
    id,
    run_id,
    name,
    ...(message === "" ? {} : { message }),
    status,
    manual: row.manual === 1,
    call_id,
    ...(reason === "" ? {} : { reason }),
    opened_at,
    ...(status === "open" || decidedAt === null ? {} : { approved_at: decidedAt }),
  };
}

/** Of several, the one that a call waits for. */
function chosenGate(
  gates: readonly Gate[],
  action: GateAction,
  { id: runId, name, gate: gateId }: GateDecisionRequest,
): Gate {
  const named = gates.filter(
    ({ record }) =>
      (name === undefined || record.name === name) &&
      (gateId === undefined || record.id === gateId),
  );
  const fitting = named.filter(
    ({ record }) => (record.status === "open") === (action !== "reopen"),
  );
  const waiting = fitting.filter(({ isAtWork }) => isAtWork);
  const meant = waiting.length > 0 ? waiting : fitting;
  const [first, second] = meant;
  if (first !== undefined && second === undefined) return first;
  if (second !== undefined) throw gateAmbiguous(meant, runId, action);
  const [other] = named;
  if (other === undefined) throw gateNotFound(runId, name ?? gateId);
  throw action === "reopen" ? gateOpen(other.record) : gateDecided(other.record);
}

function gateNotFound(runId: string, name: string | undefined): PalliumError {
  const what =
    name === undefined
      ? `workflow run "${runId}" has no gate`
      : `workflow gate "${name}" for run "${runId}" was not found`;
  return new PalliumError("gate_not_found", what, {
    hints: [`see its gates: pallium workflow gate list ${runId}`],
  });
}

function gateAmbiguous(gates: readonly Gate[], runId: string, action: GateAction): PalliumError {
  const names = [...new Set(gates.map(({ record }) => `"${record.name}"`))].join(", ");
  return new PalliumError(
    "gate_ambiguous",
    `${gates.length} gates of run "${runId}" can be meant: ${names}`,
    {
      hints: gates
        .slice(0, MOST_HINTS)
        .map(({ record }) => `pallium workflow gate ${action} ${runId} --gate ${record.id}`),
    },
  );
}

function gateDecided({ name, status, run_id }: GateRecord): PalliumError {
  return new PalliumError("gate_decided", `workflow gate "${name}" was already ${status}`, {
    hints: [`to decide it anew: pallium workflow gate reopen ${run_id} ${shellQuote(name)}`],
  });
}

function gateOpen({ name, run_id }: GateRecord): PalliumError {
  return new PalliumError("gate_open", `workflow gate "${name}" is open: nothing to reopen`, {
    hints: [`decide it: pallium workflow gate approve ${run_id} ${shellQuote(name)}`],
  });
}

function gateAtWork({ name, run_id }: GateRecord): PalliumError {
  return new PalliumError("gate_at_work", `an agent is deciding workflow gate "${name}"`, {
    hints: [`wait for it, or pause the run first: pallium workflow pause ${run_id}`],
  });
}
