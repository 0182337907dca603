import type { Reader } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "./filter.ts";
import { IN_BRIEF, IN_FULL, type SessionRecord, sessionRecords } from "./session-record.ts";

export interface ListRequest extends SessionFilter {
  readonly limit: number;
  readonly full?: boolean;
}

/** The sessions that were written last, first. */
export function listSessions(reader: Reader, request: ListRequest): readonly SessionRecord[] {
  const { sql, params } = sessionCondition(request);
  const keys = reader.all<{ key: number }>(
    `SELECT key FROM sessions WHERE ${sql} ORDER BY updated_at DESC, id LIMIT ?`,
    ...params,
    request.limit,
  );
  return sessionRecords(
    reader,
    keys.map(({ key }) => key),
    request.full === true ? IN_FULL : IN_BRIEF,
  );
}
