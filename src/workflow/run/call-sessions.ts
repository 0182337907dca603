/** Which session of its provider each call had: the journal keeps what the provider said of it. */
import type { Reader } from "../../platform/sqlite/database.ts";

/** A call of an agent, and the session that it had. */
export interface CallSession {
  /** As the provider's own program names it. */
  readonly session_id: string;
  readonly provider: string;
  readonly run_id: string;
  readonly call_id: string;
  /** Empty where the script gave none. */
  readonly label: string;
  /** Absolute folder that it worked on. */
  readonly repo: string;
  /** Absolute path of the working tree that it was in; null where that was the folder itself. */
  readonly worktree: string | null;
}

/** As in the index, word for word, so that it is used. */
const SESSION =
  "CASE WHEN json_valid(data ->> '$.session') THEN data ->> '$.session' ->> '$.id' END";
const SELECT = `SELECT DISTINCT ${SESSION} AS session_id,
    data ->> '$.session' ->> '$.provider' AS provider, calls.run_id, calls.id AS call_id, calls.label,
    calls.repo, calls.worktree
  FROM workflow_events JOIN workflow_calls AS calls ON calls.id = data ->> '$.callId'
  WHERE type = 'settled' AND ${SESSION} IS NOT NULL`;

export function sessionsOfRun(reader: Reader, runId: string): readonly CallSession[] {
  return reader.all<CallSession>(
    `${SELECT} AND workflow_events.run_id = ? ORDER BY calls.call_index`,
    runId,
  );
}

/** The calls that had these sessions; the latest first. */
export function callsOfSessions(reader: Reader, ids: readonly string[]): readonly CallSession[] {
  return reader.all<CallSession>(
    `${SELECT} AND ${SESSION} IN (SELECT value FROM json_each(?)) ORDER BY calls.created_at DESC`,
    JSON.stringify(ids),
  );
}
