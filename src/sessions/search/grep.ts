/** Messages that hold a text, character by character. */
import { oneLine } from "../../lib/one-line.ts";
import type { Reader, SqlValue } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import { TRANSCRIPT_PATH } from "../reports/transcript-path.ts";
import { type Around, messagesAround } from "./context.ts";
import type { MarkedWord, Marker } from "./marked-words.ts";
import { type Snippet, snippetOf } from "./snippet.ts";
import { holdsText } from "./text-condition.ts";

export interface GrepRequest extends SessionFilter {
  readonly text: string;
  readonly limit: number;
  readonly ignore_case?: boolean;
  /** Only what this one said: `user`, `assistant` or `tool`. */
  readonly role?: string;
  /** Messages to give before and after each hit. */
  readonly context?: number;
}

/** `snippet` is the text around the first place. */
export interface GrepHit extends Snippet, Partial<Around> {
  readonly session_id: string;
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly title: string;
  readonly timestamp: string;
}

/** A hit with what tells whose it is. */
export type GrepPlace = GrepHit & {
  readonly provider: string;
  readonly machine: string;
  /** Of the transcript. */
  readonly path: string;
};

type Row = Omit<GrepPlace, keyof Snippet> & { readonly text: string; readonly session: number };

const TITLE_LENGTH = 240;

/** Newest first. The index of words narrows where to look, the text itself decides. */
export function grepMessages(reader: Reader, request: GrepRequest): readonly GrepPlace[] {
  const { text, limit, ignore_case: ignoreCase = false, role, context = 0 } = request;
  const filter = sessionCondition(request);
  const holds = holdsText("messages.text", text, ignoreCase);
  const conditions = [filter.sql, holds.sql];
  const params: SqlValue[] = [...filter.params, ...holds.params];
  const match = wholeWords(text);
  if (match !== "") {
    conditions.push(
      "messages.key IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)",
    );
    params.push(`text : (${match})`);
  }
  if (role !== undefined) {
    conditions.push("messages.role = ?");
    params.push(role);
  }
  const rows = reader.all<Row>(
    `SELECT sessions.key AS session, sessions.id AS session_id, messages.line_no, messages.role, messages.kind,
       coalesce(nullif(sessions.title, ''), sessions.first_user_message) AS title,
       messages.timestamp, messages.text, sessions.provider, sessions.machine,
       ${TRANSCRIPT_PATH} AS path
     FROM messages JOIN sessions ON sessions.key = messages.session
     WHERE ${conditions.join(" AND ")}
     ORDER BY messages.timestamp DESC, messages.key DESC LIMIT ?`,
    ...params,
    limit,
  );
  const mark = exactMarker(text, ignoreCase);
  return rows.map(({ text: found, title, session, ...row }) => ({
    ...row,
    title: oneLine(title, TITLE_LENGTH),
    ...snippetOf(found, mark),
    ...(context === 0 ? {} : messagesAround(reader, session, row.line_no, context)),
  }));
}

/** Finds the text as it is, and as it looks in one line. */
function exactMarker(text: string, ignoreCase: boolean): Marker {
  const folded = (one: string) => (ignoreCase ? lowerAscii(one) : one);
  const wanted = folded(text);
  const inLine = wanted.trim().replace(/\s+/g, " ");
  return (found) => {
    const searched = folded(found);
    const whole = places(searched, wanted);
    return whole.length > 0 ? whole : places(searched, inLine);
  };
}

/** As SQLite lowers letters: others would change their length. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

const MOST_PLACES = 1000;

function places(text: string, word: string): readonly MarkedWord[] {
  const found: MarkedWord[] = [];
  if (word === "") return found;
  for (let at = text.indexOf(word); at >= 0 && found.length < MOST_PLACES; ) {
    found.push({ start: at, end: at + word.length, word });
    at = text.indexOf(word, at + word.length);
  }
  return found;
}

/**
 * Of characters outside of ASCII the index takes others for parts of words than JavaScript does, those
 * that it does not know among them: words are told apart by ASCII alone, and the index cuts them further.
 */
const WORDS = /[A-Za-z0-9\u{80}-\u{10ffff}]+/gu;
/** Without one, such as a mark alone, the index may find no word in it. */
const LETTER = /[\p{L}\p{N}]/u;

/**
 * The words that the text holds whole, as an expression of FTS5; those at its ends may go on in the
 * messages, unless something else stands between.
 */
function wholeWords(text: string): string {
  return [...text.matchAll(WORDS)]
    .filter(({ 0: word, index }) => index > 0 && index + word.length < text.length)
    .filter(([word]) => LETTER.test(word))
    .map(([word]) => `"${word}"`)
    .join(" ");
}
