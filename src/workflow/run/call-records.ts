/** The calls that earlier executions started, with what each was asked. */
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import type { CallIdentity } from "./identity.ts";

/** What makes a call the work it is, each part small enough to compare. */
export interface CallTraits {
  readonly primitive: string;
  /** Hash of the text. */
  readonly prompt: string;
  readonly label: string;
  readonly model: string;
  /** Hash of the schema; empty without one. */
  readonly schema: string;
  readonly mode: string;
  /** As asked for. */
  readonly provider: string;
  readonly repo: string;
  /** Hash of the run's arguments. */
  readonly args: string;
  readonly network: boolean;
}

export interface CallRecord {
  readonly callId: string;
  readonly identity: CallIdentity;
  readonly traits: CallTraits;
  /** Absent while it has not ended, or where its runner died before it did. */
  readonly outcome?: CallOutcome;
}

/** The latest attempt at every call, in the order of their starts. */
export function readCallRecords(reader: Reader, runId: string): CallRecord[] {
  const rows = reader.all<{ data: string; outcome: CallOutcome | null }>(
    `SELECT e.data, c.outcome FROM workflow_events e
     JOIN workflow_calls c ON c.id = e.data ->> '$.callId'
     WHERE e.run_id = ? AND e.type = 'started' AND c.superseded = 0 ORDER BY e.seq`,
    runId,
  );
  return rows.flatMap(({ data, outcome }) => {
    const event = parseJson(data);
    if (!isRecord(event) || !isRecord(event.identity)) return [];
    return [
      {
        callId: String(event.callId),
        identity: event.identity as unknown as CallIdentity,
        traits: traitsOf(event),
        ...(outcome === null ? {} : { outcome }),
      },
    ];
  });
}

function traitsOf(started: Readonly<Record<string, unknown>>): CallTraits {
  const text = (name: string) => String(started[name] ?? "");
  return {
    primitive: text("primitive"),
    prompt: text("prompt"),
    label: text("label"),
    model: text("model"),
    schema: text("schemaHash"),
    mode: text("mode"),
    provider: text("requestedProvider"),
    repo: text("repo"),
    args: text("argsHash"),
    network: started.networked === true,
  };
}
