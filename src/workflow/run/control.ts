/** How other processes ask a runner to end: it alone writes the journal, they leave a request here. */
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";

/** How a run ends before its time. */
export type ControlAction = "pause" | "stop";
/** What can be asked of a runner; `drain` pauses the run once the calls at work have ended. */
export type ControlRequest = ControlAction | "drain";

/** How often a runner looks whether another process wrote; the look costs microseconds. */
const POLL_MS = 10;

export function requestControl(
  tx: Transaction,
  runId: string,
  action: ControlRequest,
  clock: Clock,
): void {
  tx.run(
    "INSERT INTO workflow_controls (run_id, action, requested_at) VALUES (?, ?, ?)",
    runId,
    action,
    clock.iso(),
  );
}

/** Asks for the end of one call, after which the run goes on. */
export function requestCallStop(
  tx: Transaction,
  runId: string,
  callId: string,
  clock: Clock,
): void {
  tx.run(
    "INSERT INTO workflow_controls (run_id, action, requested_at, call_id) VALUES (?, 'stop', ?, ?)",
    runId,
    clock.iso(),
    callId,
  );
}

/** Requests made for an execution that is over say nothing to the next one; what was decided about a gate does. */
export function clearControls(tx: Transaction, runId: string): void {
  tx.run("DELETE FROM workflow_controls WHERE run_id = ? AND gate_id IS NULL", runId);
}

export interface ControlListener {
  /** Told the strongest open request about the run. */
  readonly onRequest: (request: ControlRequest) => void;
  /** Told each call whose end was asked for, again and again. */
  readonly onCallStop: (callId: string) => void;
  /** Told when the store cannot be read any more. */
  readonly onFailure: (error: unknown) => void;
}

const BY_STRENGTH: readonly ControlRequest[] = ["stop", "pause", "drain"];

/** Calls back whenever another process has written, with what is asked for. */
export function watchControls(
  database: Database,
  runId: string,
  { onRequest, onCallStop, onFailure }: ControlListener,
): () => void {
  const look = () => {
    const rows = database.all<{ action: ControlRequest; call_id: string | null }>(
      "SELECT action, call_id FROM workflow_controls WHERE run_id = ? AND gate_id IS NULL",
      runId,
    );
    const asked = rows.filter(({ call_id }) => call_id === null).map(({ action }) => action);
    const strongest = BY_STRENGTH.find((request) => asked.includes(request));
    if (strongest !== undefined) onRequest(strongest);
    for (const { call_id } of rows) if (call_id !== null) onCallStop(call_id);
  };
  return watchWrites(database, look, onFailure);
}

/**
 * Has `look` called soon, and again whenever another process has written; what it throws goes to
 * `onFailure`.
 * @returns how to stop that.
 */
export function watchWrites(
  database: Database,
  look: () => void,
  onFailure: (error: unknown) => void,
): () => void {
  let version = -1;
  const timer = setInterval(() => {
    try {
      const current = database.dataVersion();
      if (current === version) return;
      version = current;
      look();
    } catch (error) {
      onFailure(error);
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}
