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

const CALL = `calls.run_id, calls.id AS call_id, calls.label, calls.repo, calls.worktree,
    calls.call_index, calls.created_at`;
/** As in the indexes, word for word, so that they are used. */
const SESSION =
  "CASE WHEN json_valid(data ->> '$.session') THEN data ->> '$.session' ->> '$.id' END";
const OWN = `SELECT ${SESSION} AS session_id, data ->> '$.session' ->> '$.provider' AS provider, ${CALL},
    1 AS is_own, 0 AS place
  FROM workflow_events JOIN workflow_calls AS calls ON calls.id = data ->> '$.callId'
  WHERE type = 'settled' AND ${SESSION} IS NOT NULL`;
const OTHERS = `SELECT other.value ->> '$.id' AS session_id, other.value ->> '$.provider' AS provider,
    ${CALL}, 0 AS is_own, other.key AS place
  FROM workflow_events JOIN workflow_calls AS calls ON calls.id = workflow_events.data ->> '$.callId'
    JOIN json_each(workflow_events.data -> '$.otherSessions') AS other
  WHERE workflow_events.type = 'settled' AND workflow_events.data -> '$.otherSessions' IS NOT NULL`;
const FIELDS = "session_id, provider, run_id, call_id, label, repo, worktree";

/** Of several attempts of a call each has its own; that of its answer, or of the last one, comes last. */
export function sessionsOfRun(reader: Reader, runId: string): readonly CallSession[] {
  return reader.all<CallSession>(
    `SELECT ${FIELDS} FROM (
       ${OWN} AND workflow_events.run_id = ?1 UNION ALL ${OTHERS} AND workflow_events.run_id = ?1
     ) GROUP BY call_id, session_id, provider ORDER BY call_index, max(is_own), max(place)`,
    runId,
  );
}

/** The calls that had these sessions; the latest first. */
export function callsOfSessions(reader: Reader, ids: readonly string[]): readonly CallSession[] {
  return reader.all<CallSession>(
    `SELECT ${FIELDS} FROM (
       ${OWN} AND ${SESSION} IN (SELECT value FROM json_each(?1))
       UNION ALL ${OTHERS} AND other.value ->> '$.id' IN (SELECT value FROM json_each(?1))
     ) GROUP BY call_id, session_id, provider ORDER BY created_at DESC`,
    JSON.stringify(ids),
  );
}
