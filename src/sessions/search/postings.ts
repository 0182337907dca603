/** Where the words of a question stand, as the index of words tells, with a bound on what is read. */
import type { Reader, SqlValue } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import type { QueryTerm } from "./query.ts";

export interface MessageFilter extends SessionFilter {
  /** Only what this one said: `user`, `assistant` or `tool`. */
  readonly role?: string;
}

/** A message that holds words of the question. */
export interface FoundMessage {
  readonly key: number;
  readonly session: number;
  readonly bytes: number;
  /** Places of its terms in the list of those that were looked for. */
  readonly terms: number[];
  /** Pairs of neighbours in the question that are near each other here. */
  pairs: number;
}

export interface Postings {
  readonly messages: ReadonlyMap<number, FoundMessage>;
  readonly terms: readonly TermCount[];
  /** In the whole store, roughly. */
  readonly messageCount: number;
}

export interface TermCount {
  readonly term: QueryTerm;
  /** Messages that hold it, in the whole store. */
  readonly count: number;
  /** How many of these were looked at. */
  readonly read: number;
}

/** Of a word that more messages hold, the newest are read, or those that hold a rarer word too. */
const MOST_OF_TERM = 4_000;
const MOST_OF_ALL = 12_000;
/** Words of which one is in more messages than this are not looked for side by side. */
const MOST_FOR_PAIR = 40_000;
/** How many words may stand between two that are near each other. */
const NEAR = 7;

interface Row {
  readonly key: number;
  readonly session: number;
  readonly bytes: number;
}

export function readPostings(
  reader: Reader,
  terms: readonly QueryTerm[],
  filter: MessageFilter,
): Postings {
  const counted = terms
    .map((term, place) => ({ term, place, count: countOf(reader, term.match) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count);
  const messages = new Map<number, FoundMessage>();
  const rare: string[] = [];
  const read = new Map<number, number>();
  let left = MOST_OF_ALL;
  for (const { term, place, count } of counted) {
    const isRare = count <= MOST_OF_TERM;
    if (isRare) rare.push(`(${term.match})`);
    const within = isRare || rare.length === 0 ? "" : ` AND (${rare.join(" OR ")})`;
    const rows = readRows(reader, `(${term.match})${within}`, filter, Math.min(left, MOST_OF_TERM));
    left = Math.max(left - rows.length, Math.ceil(MOST_OF_ALL / counted.length / 4));
    read.set(place, rows.length);
    for (const row of rows) {
      const known = messages.get(row.key);
      if (known === undefined) messages.set(row.key, { ...row, terms: [place], pairs: 0 });
      else known.terms.push(place);
    }
  }
  const byPlace = new Map(counted.map(({ place, count }) => [place, count]));
  countPairs(reader, terms, byPlace, messages);
  return {
    messages,
    terms: terms.map((term, place) => ({
      term,
      count: byPlace.get(place) ?? 0,
      read: read.get(place) ?? 0,
    })),
    messageCount:
      reader.get<{ last: number | null }>("SELECT max(key) AS last FROM messages")?.last ?? 0,
  };
}

function countOf(reader: Reader, match: string): number {
  const sql = "SELECT count(*) AS count FROM message_words WHERE message_words MATCH ?";
  return reader.get<{ count: number }>(sql, match)?.count ?? 0;
}

function readRows(
  reader: Reader,
  match: string,
  filter: MessageFilter,
  limit: number,
): readonly Row[] {
  const { role } = filter;
  const { sql, params } = sessionCondition(filter);
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (sql !== "true") {
    conditions.push(`messages.session IN (SELECT key FROM sessions WHERE ${sql})`);
    values.push(...params);
  }
  if (role !== undefined) {
    conditions.push("messages.role = ?");
    values.push(role);
  }
  return reader.all<Row>(
    `SELECT messages.key, messages.session, octet_length(messages.text) AS bytes
     FROM message_words
     CROSS JOIN messages INDEXED BY messages_brief ON messages.key = message_words.rowid
     WHERE message_words MATCH ? ${conditions.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY message_words.rowid DESC LIMIT ?`,
    match,
    ...values,
    limit,
  );
}

/** Words that follow each other in the question say more where they are near each other. */
function countPairs(
  reader: Reader,
  terms: readonly QueryTerm[],
  counts: ReadonlyMap<number, number>,
  messages: ReadonlyMap<number, FoundMessage>,
): void {
  const sql =
    "SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?";
  for (const [place, term] of terms.entries()) {
    const next = terms[place + 1];
    if (next === undefined || !term.isWord || !next.isWord) continue;
    const [one = 0, other = 0] = [counts.get(place), counts.get(place + 1)];
    if (one === 0 || other === 0 || Math.min(one, other) > MOST_FOR_PAIR) continue;
    const match = `NEAR("${term.words[0]}" "${next.words[0]}", ${NEAR})`;
    for (const { rowid } of reader.all<{ rowid: number }>(sql, match, MOST_OF_TERM)) {
      const message = messages.get(rowid);
      if (message !== undefined) message.pairs += 1;
    }
  }
}
