/** Sessions by what was said in them. */
import type { Reader } from "../../platform/sqlite/database.ts";
import {
  IN_BRIEF,
  IN_FULL,
  type SessionRecord,
  sessionRecords,
} from "../reports/session-record.ts";
import { askedTimes } from "./asked-times.ts";
import { bestOf } from "./best.ts";
import { addTimes, addTitles } from "./candidates.ts";
import { type Around, messagesAround } from "./context.ts";
import { type Marker, markerOf } from "./marked-words.ts";
import { type MessageFilter, type Postings, readPostings } from "./postings.ts";
import { oneWord, parseQuery, type QueryTerm } from "./query.ts";
import { rankingOf } from "./rank.ts";
import { type Snippet, snippetOf } from "./snippet.ts";
import { meantWord } from "./spelling.ts";

export interface SearchRequest extends MessageFilter {
  readonly words: readonly string[];
  readonly limit: number;
  readonly full?: boolean;
  /** Messages to give before and after each hit. */
  readonly context?: number;
  /** The present, for times that are told from it, such as `last week`. */
  readonly now?: Date;
}

/** Where in a session something was found. */
export interface SearchHit extends Snippet, Partial<Around> {
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly timestamp: string;
}

export interface FoundSession extends SessionRecord {
  /** Negative, and the smaller the better, as the Go program has it. */
  readonly rank: number;
  readonly hits: readonly SearchHit[];
}

const HITS = 3;
/** Characters from the beginning of a message on that are looked through for the words asked for. */
const MOST_SEARCHED = 50_000;

/**
 * Never fails for what is asked: a question has no syntax that could be wrong.
 * @param warn told of each word that occurs nowhere, where another one was taken for it.
 */
export function searchSessions(
  reader: Reader,
  request: SearchRequest,
  warn: (line: string) => void = () => {},
): readonly FoundSession[] {
  const text = request.words.join(" ");
  const asked = parseQuery(text);
  if (asked.terms.length === 0) {
    warn("the question holds no word; for characters there is pallium sessions grep");
    return [];
  }
  const { terms, postings } = readSpelled(reader, asked.terms, request, warn);
  const sql = "SELECT count(*) AS count FROM sessions";
  const ranking = rankingOf(postings, reader.get<{ count: number }>(sql)?.count ?? 0);
  const candidates = new Map(ranking.candidates);
  if (request.role === undefined) {
    addTitles(reader, terms, ranking.weights, request, candidates);
    addTimes(reader, askedTimes(text, request.now), request, candidates);
  }
  const best = bestOf(reader, ranking, candidates, text, request.limit);
  const records = sessionRecords(
    reader,
    best.map(({ session }) => session),
    request.full === true ? IN_FULL : IN_BRIEF,
  );
  const mark = markerOf(terms);
  return records.map((record, index) => {
    const { score = 0, best: messages = [] } = best[index] ?? {};
    const hits = messages
      .slice(0, HITS)
      .flatMap(({ key }) => hitOf(reader, key, mark, request.context ?? 0));
    return { ...record, rank: -score, hits };
  });
}

/** A word that occurs nowhere is taken for the nearest that does. */
function readSpelled(
  reader: Reader,
  asked: readonly QueryTerm[],
  request: SearchRequest,
  warn: (line: string) => void,
): { readonly terms: readonly QueryTerm[]; readonly postings: Postings } {
  const postings = readPostings(reader, asked, request);
  let corrected = false;
  const terms = asked.map((term, place) => {
    const [typed = ""] = term.words;
    if (!term.isWord || postings.terms[place]?.count !== 0) return term;
    const meant = meantWord(reader, typed);
    if (meant === undefined) return term;
    corrected = true;
    warn(`no message holds "${typed}"; looked for "${meant}" instead`);
    return oneWord(meant, term.weight);
  });
  return corrected
    ? { terms, postings: readPostings(reader, terms, request) }
    : { terms, postings };
}

function hitOf(reader: Reader, key: number, mark: Marker, context: number): readonly SearchHit[] {
  const row = reader.get<
    Omit<SearchHit, keyof Snippet> & { readonly text: string; readonly session: number }
  >(
    `SELECT session, line_no, role, kind, timestamp, substr(text, 1, ${MOST_SEARCHED}) AS text
     FROM messages WHERE key = ?`,
    key,
  );
  if (row === undefined) return [];
  const { text, session, ...place } = row;
  const around = context === 0 ? {} : messagesAround(reader, session, place.line_no, context);
  return [{ ...place, ...snippetOf(text, mark), ...around }];
}
