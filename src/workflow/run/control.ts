/** How other processes ask a runner to end: it alone writes the journal, they leave a request here. */
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/sqlite/database.ts";

export type ControlAction = "pause" | "stop";

/** How often a runner looks whether another process wrote; the look costs microseconds. */
const POLL_MS = 10;

export function requestControl(
  tx: Transaction,
  runId: string,
  action: ControlAction,
  clock: Clock,
): void {
  tx.run(
    "INSERT INTO workflow_controls (run_id, action, requested_at) VALUES (?, ?, ?)",
    runId,
    action,
    clock.iso(),
  );
}

/** Requests made for an execution that is over say nothing to the next one; what was decided about a gate does. */
export function clearControls(tx: Transaction, runId: string): void {
  tx.run("DELETE FROM workflow_controls WHERE run_id = ? AND gate_id IS NULL", runId);
}

/**
 * Calls back with the strongest open request whenever another process has written one, and with the
 * error of a store that cannot be read any more.
 */
export function watchControls(
  database: Database,
  runId: string,
  onRequest: (action: ControlAction) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const look = () => {
    const actions = database.all<{ action: ControlAction }>(
      "SELECT action FROM workflow_controls WHERE run_id = ? AND gate_id IS NULL",
      runId,
    );
    if (actions.some(({ action }) => action === "stop")) onRequest("stop");
    else if (actions.length > 0) onRequest("pause");
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
