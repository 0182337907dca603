/**
 * Messages that repeat a question and do not answer it: the question itself, put to an agent; the
 * search for it; and what such a search brought.
 */
import type { Reader } from "../../platform/sqlite/database.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Fewer words, side by side, are no question that is repeated: they are what was asked for. */
const FEWEST_WORDS = 4;
/** A message with this many times the words of the question says something of its own. */
const MOST_REPEATED = 2;
const LONGEST_REPEATED = 10;
const MOST_READ = 50_000;
const ASKS =
  /\?\s*$|^\W*(?:what|when|where|which|who|whose|why|how|did|do|does|is|are|was|were|can|could|should|has|have)\b/iu;
const SEARCHES = /\bpallium\b[^\n]{0,80}\bsessions\s+(?:search|grep|semantic|related)\b/;
const SEARCH_TOOL = /sessions[._-]+(?:search|grep|semantic|related)/;
/** How far before its result a call is looked for. */
const MOST_BETWEEN = 8;

interface Said {
  readonly role: string;
  readonly kind: string;
  readonly text: string;
}

export interface EchoTest {
  /** @param key of a message. */
  isEcho(key: number): boolean;
  /** Whether a user's text is no more than the question. */
  isQuestion(text: string): boolean;
}

export function echoTest(reader: Reader, question: string): EchoTest {
  const asked = spoken(question);
  const isLong = asked.count >= FEWEST_WORDS;
  const repeats = (text: string) => isLong && spoken(text).words.includes(asked.words);
  const isQuestion = (text: string) =>
    text.length <= LONGEST_REPEATED * question.length &&
    ASKS.test(question.trim()) &&
    repeats(text) &&
    spoken(text).count <= MOST_REPEATED * asked.count;
  const searches = ({ kind, text }: Said) => SEARCHES.test(text) || SEARCH_TOOL.test(kind);
  return {
    isQuestion,
    isEcho(key) {
      const said = reader.get<Said & { session: number; line_no: number }>(
        `SELECT session, line_no, role, kind, substr(text, 1, ${MOST_READ}) AS text
         FROM messages WHERE key = ?`,
        key,
      );
      if (said === undefined) return false;
      const { session, line_no: line, role, kind, text } = said;
      if (role !== "tool") return isQuestion(text);
      if (kind !== "tool_result") return searches(said) || repeats(text);
      const call = callBefore(reader, session, line);
      return call !== undefined && searches(call);
    },
  };
}

/** The words of a text in lower case, one blank around each. */
function spoken(text: string): { readonly words: string; readonly count: number } {
  const words = (text.toLowerCase().match(WORD) ?? []).map((word) => word);
  return { words: ` ${words.join(" ")} `, count: words.length };
}

function callBefore(reader: Reader, session: number, line: number): Said | undefined {
  return reader
    .all<Said>(
      `SELECT role, kind, substr(text, 1, ${MOST_READ}) AS text FROM messages
       WHERE session = ? AND line_no < ? ORDER BY line_no DESC LIMIT ?`,
      session,
      line,
      MOST_BETWEEN,
    )
    .find(({ role, kind }) => role === "tool" && kind !== "tool_result");
}
