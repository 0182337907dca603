/** Messages that hold a text, character by character. */
import type { Reader, SqlValue } from "../../platform/sqlite/database.ts";
import { type SessionFilter, sessionCondition } from "../reports/filter.ts";
import { snippet } from "./snippet.ts";

export interface GrepRequest extends SessionFilter {
  readonly text: string;
  readonly limit: number;
  readonly ignore_case?: boolean;
  /** Only what this one said: `user`, `assistant` or `tool`. */
  readonly role?: string;
}

export interface GrepHit {
  readonly session_id: string;
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly title: string;
  readonly timestamp: string;
  /** The text around the first place, in one line. */
  readonly snippet: string;
}

/** A hit with what tells whose it is. */
export type GrepPlace = GrepHit & {
  readonly provider: string;
  readonly machine: string;
  /** Of the transcript. */
  readonly path: string;
};

type Row = Omit<GrepPlace, "snippet"> & { readonly text: string };

/** Newest first. The index of words narrows where to look, the text itself decides. */
export function grepMessages(reader: Reader, request: GrepRequest): readonly GrepPlace[] {
  const { text, limit, ignore_case: ignoreCase = false, role } = request;
  const filter = sessionCondition(request);
  const conditions = [
    filter.sql,
    ignoreCase ? "instr(lower(messages.text), lower(?)) > 0" : "instr(messages.text, ?) > 0",
  ];
  const params: SqlValue[] = [...filter.params, text];
  const match = wholeWords(text);
  if (match !== "") {
    conditions.push(
      "messages.key IN (SELECT rowid FROM message_words WHERE message_words MATCH ?)",
    );
    params.push(`text : ${match}`);
  }
  if (role !== undefined) {
    conditions.push("messages.role = ?");
    params.push(role);
  }
  const rows = reader.all<Row>(
    `SELECT sessions.id AS session_id, messages.line_no, messages.role, messages.kind,
       coalesce(nullif(sessions.title, ''), sessions.first_user_message) AS title,
       messages.timestamp, messages.text, sessions.provider, sessions.machine,
       coalesce((SELECT path FROM sources WHERE session = sessions.key LIMIT 1), '') AS path
     FROM messages JOIN sessions ON sessions.key = messages.session
     WHERE ${conditions.join(" AND ")}
     ORDER BY messages.timestamp DESC, messages.key DESC LIMIT ?`,
    ...params,
    limit,
  );
  return rows.map(({ text: found, title, ...row }) => ({
    ...row,
    title: snippet(title, []),
    snippet: snippet(found, [text.toLowerCase()]),
  }));
}

const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * The words that the text holds whole, as an expression of FTS5; those at its ends may go on in the
 * messages, unless something else stands between.
 */
function wholeWords(text: string): string {
  const words = [...text.matchAll(WORDS)].filter(
    ({ 0: word, index }) => index > 0 && index + word.length < text.length,
  );
  return words.length === 0 ? "" : words.map(([word]) => `"${word}"`).join(" AND ");
}
