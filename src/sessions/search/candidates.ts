/** What sessions are found by besides their messages: what they are called, and their time. */
import type { Reader } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import { type AskedTime, nearness } from "./asked-times.ts";
import type { FoundMessage } from "./postings.ts";
import type { QueryTerm } from "./query.ts";
import { type Candidate, candidateOf, type TermWeight } from "./rank.ts";

/** How much a word counts that a session is called by, beside one that is said in it. */
const TITLE_WEIGHT = 1.25;
/** How much it counts what was first asked, where, and which files were touched: messages say that too. */
const REST_WEIGHT = 0.15;
const MOST_TITLES = 400;
/** What a session counts that is of the time that was asked for. */
const TIME_WEIGHT = 12;

export type Candidates = Map<number, Candidate>;

export function addTitles(
  reader: Reader,
  terms: readonly QueryTerm[],
  weights: readonly TermWeight[],
  filter: SessionFilter,
  candidates: Candidates,
): void {
  const { sql, params } = sessionCondition(filter);
  const matching = (match: string, rank: string) =>
    reader.all<{ session: number; rank: number }>(
      `SELECT sessions.key AS session, ${rank} AS rank
       FROM session_words CROSS JOIN sessions ON sessions.key = session_words.rowid
       WHERE session_words MATCH ? AND ${sql} ORDER BY rank, session DESC LIMIT ?`,
      match,
      ...params,
      MOST_TITLES,
    );
  for (const [place, { match }] of terms.entries()) {
    const { session: whole = 0, message = 0 } = weights[place] ?? {};
    for (const { session } of matching(`title : (${match})`, "0")) {
      candidate(candidates, session).titlePoints += TITLE_WEIGHT * (whole + message);
    }
  }
  const any = terms.map(({ match }) => match).join(" OR ");
  for (const { session, rank } of matching(any, "bm25(session_words, 0, 3, 1, 2)")) {
    candidate(candidates, session).titlePoints -= REST_WEIGHT * rank;
  }
}

/** A time in a question is a wish, no condition: what was said may be remembered wrongly. */
export function addTimes(
  reader: Reader,
  times: readonly AskedTime[],
  filter: SessionFilter,
  candidates: Candidates,
): void {
  if (times.length === 0) return;
  for (const { session } of sessionsWithin(reader, times, filter)) candidate(candidates, session);
  for (const one of candidates.values()) {
    const moments = one.messages.length === 0 ? endOf(reader, one) : endsOf(reader, one.messages);
    const near = moments
      .map((day) => Date.parse(day))
      .filter((moment) => !Number.isNaN(moment))
      .flatMap((moment) => times.map((time) => nearness(time, moment)));
    one.timePoints = TIME_WEIGHT * Math.max(0, ...near);
  }
}

const MOST_WITHIN = 100;

/** The latest sessions that ended in one of the times: they answer where no word of the question was said. */
function sessionsWithin(
  reader: Reader,
  times: readonly AskedTime[],
  filter: SessionFilter,
): readonly { readonly session: number }[] {
  const { sql, params } = sessionCondition(filter);
  return times
    .filter(({ anyYear }) => !anyYear)
    .flatMap(({ from, to }) =>
      reader.all<{ session: number }>(
        `SELECT sessions.key AS session FROM sessions
         WHERE updated_at >= ? AND updated_at < ? AND ${sql} ORDER BY updated_at DESC LIMIT ?`,
        new Date(from).toISOString(),
        new Date(to).toISOString(),
        ...params,
        MOST_WITHIN,
      ),
    );
}

/** When the first and the last of the messages were said. */
function endsOf(reader: Reader, messages: readonly FoundMessage[]): readonly string[] {
  const keys = messages.map(({ key }) => key);
  return reader
    .all<{ timestamp: string }>(
      "SELECT timestamp FROM messages WHERE key IN (?, ?)",
      Math.min(...keys),
      Math.max(...keys),
    )
    .map(({ timestamp }) => timestamp);
}

function endOf(reader: Reader, { session }: Candidate): readonly string[] {
  return reader
    .all<{ updated_at: string }>("SELECT updated_at FROM sessions WHERE key = ?", session)
    .map(({ updated_at: time }) => time);
}

function candidate(candidates: Candidates, session: number): Candidate {
  const known = candidates.get(session);
  if (known !== undefined) return known;
  const made = candidateOf(session, []);
  candidates.set(session, made);
  return made;
}
