/** What earlier executions of a run left for the next one. */
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { EditBase, MergedEdit } from "../edits/repo-edits.ts";
import type { CallIdentity } from "./identity.ts";
import type { KeptEdit, OpenCall, SettledCall } from "./replay.ts";
import { INTERNAL_PROVIDER, NATIVE_PROVIDER } from "./types.ts";

type Reader = Pick<Database, "get" | "all">;

export interface RunUsage {
  /** Agents ever started, failed ones too; native calls are none, nor are those without quota. */
  readonly agents: number;
  readonly spentMicros: number;
  /** Input and output together. */
  readonly tokens: number;
}

export function readUsage(reader: Reader, runId: string): RunUsage {
  const row = reader.get<{ agents: number; spent: number | null; tokens: number | null }>(
    `SELECT count(*) FILTER (WHERE outcome IS NOT 'quota') AS agents, sum(cost_micros) AS spent,
       sum(input_tokens + output_tokens) AS tokens FROM workflow_calls
     WHERE run_id = ? AND provider NOT IN (?, ?)`,
    runId,
    NATIVE_PROVIDER,
    INTERNAL_PROVIDER,
  );
  return { agents: row?.agents ?? 0, spentMicros: row?.spent ?? 0, tokens: row?.tokens ?? 0 };
}

/**
 * Every call that settled `ok`, in journal order, with its answer; of one that was decided anew by a
 * person the last. Gates that are to be asked again are not among them.
 */
export function readSettledCalls(reader: Reader, runId: string): SettledCall[] {
  const rows = reader.all<{ data: string; output: string | null }>(
    `SELECT e.data, a.body AS output FROM workflow_events e
     JOIN workflow_calls c ON c.id = e.data ->> '$.callId' AND c.superseded = 0
     LEFT JOIN workflow_artifacts a ON a.hash = e.data ->> '$.output'
     WHERE e.run_id = ? AND e.type = 'settled' AND e.data ->> '$.outcome' = 'ok' ORDER BY e.seq`,
    runId,
  );
  const calls = rows.flatMap(({ data, output }) => {
    const event = parseJson(data);
    if (!isRecord(event) || !isRecord(event.identity) || output === null) return [];
    return [
      {
        identity: event.identity as unknown as CallIdentity,
        callId: String(event.callId),
        output,
        seen: Array.isArray(event.seen) ? event.seen.map(String) : [],
        ...(isRecord(event.kept) ? { kept: event.kept as unknown as KeptEdit } : {}),
        ...(typeof event.session === "string" ? { session: event.session } : {}),
      },
    ];
  });
  return [...new Map(calls.map((call) => [call.callId, call])).values()];
}

/** What edits in each repository began from. */
export function readEditBases(reader: Reader, runId: string): EditBase[] {
  return reader.all<EditBase>(
    `SELECT root, base_commit AS "commit", base_tree AS tree, start_tree AS start
     FROM workflow_edit_bases WHERE run_id = ?`,
    runId,
  );
}

/** Every edit that was merged, in that order. */
export function readMergedEdits(reader: Reader, runId: string): (MergedEdit & { root: string })[] {
  return reader.all<MergedEdit & { root: string }>(
    `SELECT call_id AS callId, root, from_tree AS "from", to_tree AS "to", staged_before AS before,
       staged_after AS after FROM workflow_edits WHERE run_id = ? ORDER BY seq`,
    runId,
  );
}

/** Calls that were started, never settled and never begun anew: what they paid for may still come in. */
export function readOpenCalls(reader: Reader, runId: string): OpenCall[] {
  const rows = reader.all<{ data: string; created_at: string; cost_micros: number }>(
    `SELECT e.data, c.created_at, c.cost_micros FROM workflow_calls c
     JOIN workflow_events e ON e.run_id = c.run_id AND e.type = 'started'
       AND e.data ->> '$.callId' = c.id
     WHERE c.run_id = ? AND c.outcome IS NULL AND c.superseded = 0 ORDER BY e.seq`,
    runId,
  );
  return rows.flatMap(({ data, created_at, cost_micros }) => {
    const event = parseJson(data);
    if (!isRecord(event) || !isRecord(event.identity)) return [];
    return [
      {
        identity: event.identity as unknown as CallIdentity,
        callId: String(event.callId),
        provider: String(event.provider),
        repo: String(event.repo),
        startedAt: new Date(created_at),
        costMicros: cost_micros,
      },
    ];
  });
}
