/** The journal of a run as users see it, read a page at a time: it may hold more than memory should. */
import { isRecord, type Json, type JsonObject, parseJson } from "../../lib/json.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { EventType } from "../run/types.ts";

/** Names of `data` are snake case; prompts, outputs and results are the hash of their text. */
export interface JournalEvent {
  readonly seq: number;
  readonly type: EventType;
  readonly at: string;
  /** Of the lease under which it was written: it grows by one with every execution. */
  readonly fence: number;
  readonly data: JsonObject;
}

export interface EventFilter {
  /** Only records with a higher number. */
  readonly after?: number;
  /** Only records of these types; all without. */
  readonly types?: readonly EventType[];
  /** Put texts in the place of their hashes. */
  readonly full?: boolean;
}

interface EventRow {
  readonly seq: number;
  readonly type: EventType;
  readonly data: string;
  readonly fence: number;
  readonly created_at: string;
}

const PAGE = 500;
/** Fields that hold the hash of a text. */
const TEXTS = ["prompt", "output", "result", "script"];

export function* readEvents(
  reader: Reader,
  runId: string,
  { after = 0, types = [], full = false }: EventFilter,
): Generator<JournalEvent> {
  const wanted = types.length === 0 ? "" : ` AND type IN (${types.map(() => "?").join(", ")})`;
  let last = after;
  for (;;) {
    const page = reader.all<EventRow>(
      `SELECT seq, type, data, fence, created_at FROM workflow_events
       WHERE run_id = ? AND seq > ?${wanted} ORDER BY seq LIMIT ${PAGE}`,
      runId,
      last,
      ...types,
    );
    for (const row of page) {
      last = row.seq;
      yield journalEvent(row, full ? (hash) => readText(reader, hash) : undefined);
    }
    if (page.length < PAGE) return;
  }
}

function journalEvent(
  { seq, type, data, fence, created_at: at }: EventRow,
  textOf: ((hash: string) => string) | undefined,
): JournalEvent {
  const stored = parseJson(data);
  const fields = isRecord(stored) ? (stored as JsonObject) : {};
  const shown = Object.entries(fields).map(([name, value]): [string, Json] => [
    snakeCase(name),
    textOf !== undefined && TEXTS.includes(name) && typeof value === "string"
      ? textOf(value)
      : value,
  ]);
  return { seq, type, at, fence, data: Object.fromEntries(shown) };
}

function readText(reader: Reader, hash: string): string {
  const sql = "SELECT body FROM workflow_artifacts WHERE hash = ?";
  return reader.get<{ body: string }>(sql, hash)?.body ?? hash;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
