/** How long a run has been executed, what it has spent, and how fast. */
import { toDollars, withoutNoise } from "../../lib/money.ts";
import type { Reader } from "../../platform/sqlite/database.ts";

export interface Pace {
  /** Milliseconds in which the run was executed; pauses are left out. */
  readonly elapsed_ms: number;
  /** Reported, priced or estimated, of all calls, what is at work included. */
  readonly spent_usd: number;
  readonly usd_per_minute: number;
  /** Agents that ended. */
  readonly agents_per_minute: number;
}

/** A rate says nothing before. */
const SHORTEST_MS = 1000;
const MINUTE_MS = 60_000;

export function paceOf(reader: Reader, runId: string, now: Date, agentsEnded: number): Pace {
  const elapsed = executedMs(reader, runId, now);
  const sql = "SELECT coalesce(sum(cost_micros), 0) AS micros FROM workflow_calls WHERE run_id = ?";
  const spent = toDollars(reader.get<{ micros: number }>(sql, runId)?.micros ?? 0);
  const minutes = Math.max(elapsed, SHORTEST_MS) / MINUTE_MS;
  return {
    elapsed_ms: elapsed,
    spent_usd: withoutNoise(spent),
    usd_per_minute: withoutNoise(spent / minutes),
    agents_per_minute: withoutNoise(agentsEnded / minutes),
  };
}

interface Transition {
  readonly status: string;
  readonly created_at: string;
  /** When anything was put on record before this. */
  readonly before: string | null;
}

function executedMs(reader: Reader, runId: string, now: Date): number {
  const transitions = reader.all<Transition>(
    `SELECT e.data ->> '$.status' AS status, e.created_at,
       (SELECT p.created_at FROM workflow_events p
        WHERE p.run_id = e.run_id AND p.seq < e.seq ORDER BY p.seq DESC LIMIT 1) AS before
     FROM workflow_events e WHERE e.run_id = ? AND e.type = 'run' ORDER BY e.seq`,
    runId,
  );
  let total = 0;
  let since: number | undefined;
  for (const { status, created_at, before } of transitions) {
    // Nobody knows when a runner died: somebody found it dead later.
    const at = Date.parse(status === "interrupted" ? (before ?? created_at) : created_at);
    if (since !== undefined) total += at - since;
    since = status === "running" ? at : undefined;
  }
  return Math.max(0, total + (since === undefined ? 0 : now.getTime() - since));
}
