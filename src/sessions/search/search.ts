/** Sessions by what was said in them. */
import type { Reader } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import {
  IN_BRIEF,
  IN_FULL,
  type SessionRecord,
  sessionRecords,
} from "../reports/session-record.ts";
import { parseQuery } from "./query.ts";
import { snippet } from "./snippet.ts";

export interface SearchRequest extends SessionFilter {
  readonly words: readonly string[];
  readonly limit: number;
  readonly full?: boolean;
}

/** Where in a session something was found. */
export interface SearchHit {
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly timestamp: string;
  readonly snippet: string;
}

export interface FoundSession extends SessionRecord {
  /** Negative, and the smaller the better, as the Go program has it. */
  readonly rank: number;
  readonly hits: readonly SearchHit[];
}

/** Messages that are looked at, the best first; a session's best is among them or it is no answer. */
const MOST_MESSAGES = 400;
const HITS = 3;
/** How much what a session says of itself counts beside the best message in it. */
const TITLE_WEIGHT = 1.5;
/** How much each further message adds to the best. */
const FURTHER_WEIGHT = 0.2;

interface MessageHit {
  readonly session: number;
  readonly message: number;
  readonly rank: number;
}

export function searchSessions(reader: Reader, request: SearchRequest): readonly FoundSession[] {
  const query = parseQuery(request.words.join(" "));
  if (query.match === "") return [];
  const { sql, params } = sessionCondition(request);
  const messages = reader.all<MessageHit>(
    `SELECT messages.session, messages.key AS message, found.rank
     FROM (SELECT rowid, rank FROM message_words WHERE message_words MATCH ? ORDER BY rank LIMIT ?) AS found
     JOIN messages ON messages.key = found.rowid JOIN sessions ON sessions.key = messages.session
     WHERE ${sql} ORDER BY found.rank`,
    query.match,
    MOST_MESSAGES,
    ...params,
  );
  const titles = reader.all<{ session: number; rank: number }>(
    `SELECT sessions.key AS session, found.rank
     FROM (SELECT rowid, bm25(session_words, 4, 3, 1, 2) AS rank FROM session_words
       WHERE session_words MATCH ? ORDER BY rank LIMIT ?) AS found
     JOIN sessions ON sessions.key = found.rowid WHERE ${sql}`,
    query.match,
    MOST_MESSAGES,
    ...params,
  );
  const ranks = new Map<number, { rank: number; messages: number[] }>();
  for (const { session, message, rank } of messages) {
    const known = ranks.get(session);
    if (known === undefined) ranks.set(session, { rank, messages: [message] });
    else {
      known.rank += (FURTHER_WEIGHT * rank) / known.messages.length;
      known.messages.push(message);
    }
  }
  for (const { session, rank } of titles) {
    const known = ranks.get(session) ?? { rank: 0, messages: [] };
    known.rank += TITLE_WEIGHT * rank;
    ranks.set(session, known);
  }
  const best = [...ranks].sort(([, a], [, b]) => a.rank - b.rank).slice(0, request.limit);
  const records = sessionRecords(
    reader,
    best.map(([session]) => session),
    request.full === true ? IN_FULL : IN_BRIEF,
  );
  return records.map((record, index) => {
    const found = best[index]?.[1] ?? { rank: 0, messages: [] };
    const hits = found.messages.slice(0, HITS).flatMap((key) => hitOf(reader, key, query.words));
    return { ...record, rank: found.rank, hits };
  });
}

function hitOf(reader: Reader, key: number, words: readonly string[]): readonly SearchHit[] {
  const row = reader.get<Omit<SearchHit, "snippet"> & { readonly text: string }>(
    "SELECT line_no, role, kind, timestamp, text FROM messages WHERE key = ?",
    key,
  );
  if (row === undefined) return [];
  const { text, ...place } = row;
  return [{ ...place, snippet: snippet(text, words) }];
}
