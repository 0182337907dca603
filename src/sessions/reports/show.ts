/** One session, with everything that was said in it where asked for. */
import { PalliumError } from "../../lib/errors.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { CONVERSATION } from "./conversation.ts";
import type { Tagged } from "./of-workflow.ts";
import { IN_FULL, type SessionRecord, sessionRecords } from "./session-record.ts";

export interface ShowRequest {
  readonly id: string;
  readonly transcript?: boolean;
}

export interface MessageRecord {
  readonly line_no: number;
  readonly timestamp: string;
  readonly role: string;
  readonly kind: string;
  readonly text: string;
}

export interface ShownSession {
  readonly session: Tagged<SessionRecord>;
  /** Empty unless they were asked for. */
  readonly messages: readonly MessageRecord[];
  /** Ids of the sessions that this one started as helpers. */
  readonly helpers: readonly string[];
}

const MOST_NAMED = 5;

/**
 * @throws PalliumError `session_not_found`, `session_ambiguous`.
 */
export function showSession(reader: Reader, { id, transcript }: ShowRequest): ShownSession {
  const key = sessionKey(reader, id);
  const [session] = sessionRecords(reader, [key], IN_FULL);
  if (session === undefined) throw notFound(id);
  const helpers = reader.all<{ id: string }>(
    "SELECT id FROM sessions WHERE parent_id <> '' AND parent_id = ? ORDER BY created_at, id",
    session.id,
  );
  return {
    session,
    messages: transcript ? readMessages(reader, key) : [],
    helpers: helpers.map((helper) => helper.id),
  };
}

function readMessages(reader: Reader, key: number): readonly MessageRecord[] {
  return reader.all<MessageRecord>(
    `SELECT line_no, timestamp, role, kind, text FROM ${CONVERSATION} WHERE session = ? ORDER BY line_no`,
    key,
  );
}

/**
 * A whole id, else one that begins so, else one that holds the text; there must be one only. Of a session
 * that was read under several names of the computer, the one that was read last.
 * @throws PalliumError `session_not_found`, `session_ambiguous`.
 */
export function sessionKey(reader: Reader, id: string): number {
  if (id.trim() === "") throw notFound(id);
  const ways: readonly string[] = ["id = ?", "substr(id, 1, length(?)) = ?", "instr(id, ?) > 0"];
  for (const way of ways) {
    const params = way
      .split("?")
      .slice(1)
      .map(() => id);
    const found = reader.all<{ key: number; id: string }>(
      `SELECT key, id, max(indexed_at) FROM sessions WHERE ${way}
       GROUP BY provider, id ORDER BY updated_at DESC LIMIT ?`,
      ...params,
      MOST_NAMED + 1,
    );
    const [only] = found;
    if (only !== undefined && found.length === 1) return only.key;
    if (found.length > 1) throw ambiguous(id, found);
  }
  throw notFound(id);
}

function ambiguous(id: string, found: readonly { id: string }[]): PalliumError {
  const named = found.slice(0, MOST_NAMED).map((session) => session.id);
  return new PalliumError(
    "session_ambiguous",
    `more than one session has an id with "${id}" in it`,
    {
      hints: [`say more of one of these: ${named.join(", ")}`],
    },
  );
}

function notFound(id: string): PalliumError {
  return new PalliumError("session_not_found", `there is no session with an id like "${id}"`, {
    hints: [
      "see which there are: pallium sessions list",
      "read new ones in: pallium sessions index",
    ],
  });
}
