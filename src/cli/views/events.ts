import type { JsonObject } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { JournalEvent } from "../../workflow/reports/events.ts";
import type { EventType } from "../../workflow/run/types.ts";

/** What one line says of a record, by the names of its fields; the rest is in the JSON. */
const SHOWN: Readonly<Record<EventType, readonly string[]>> = {
  run: ["status", "error", "result"],
  phase: ["name", "active"],
  started: ["call_id", "label", "provider", "prompt"],
  settled: ["call_id", "outcome", "error", "output"],
  adopted: ["call_id", "phase"],
  replayed: ["call_id", "phase"],
  dropped: ["label", "phase", "error"],
  edits: ["root", "commit"],
  nested: ["scope", "name", "script"],
  reopened: ["call_id", "reason"],
};

const HASH = /^[0-9a-f]{64}$/;
/** Characters of a hash that tell it from the others of a run. */
const HASH_SHOWN = 12;

/** `12  2026-01-02T03:04:05.678Z  settled   agent-… ok`: a record in one line. */
export function eventText({ seq, type, at, data }: JournalEvent): string {
  const details = SHOWN[type].flatMap((name) => detail(name, data));
  return [String(seq).padStart(5), at, type.padEnd(8), details.join(" ")].join("  ").trimEnd();
}

function detail(name: string, data: JsonObject): string[] {
  const value = data[name];
  if (value === undefined || value === "") return [];
  const text = oneLine(typeof value === "string" ? value : JSON.stringify(value));
  if (HASH.test(text)) return [`${name}=${text.slice(0, HASH_SHOWN)}`];
  return [`${name}=${/\s/.test(text) ? JSON.stringify(text) : text}`];
}
