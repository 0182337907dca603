/** Which sessions speak of a file without having touched it. */
import type { Reader } from "../../platform/sqlite/database.ts";

/** Messages that are looked at for one file, the latest. */
const MOST_MESSAGES = 300;
const WORDS = /[\p{L}\p{N}]+/gu;
/** What paths are written in. */
const PATH_CHARACTER = /[\w./@+~-]/;

interface Candidate {
  readonly session: number;
  readonly text: string;
}

/**
 * Keys of the sessions, among some, in which somebody named the file, or a tool was asked about it or
 * failed over it. The name of the file alone is not enough, unless it lies at the top: other folders
 * have an `index.ts` too.
 */
export function sessionsThatMention(
  reader: Reader,
  sessions: readonly number[],
  trees: readonly string[],
  file: string,
): ReadonlySet<number> {
  const short = file.split("/").slice(-2).join("/");
  const words = short.match(WORDS);
  if (words === null || sessions.length === 0) return new Set();
  const keys = JSON.stringify(sessions);
  const said = reader.all<Candidate>(
    `SELECT messages.session, messages.text
     FROM message_words JOIN messages ON messages.key = message_words.rowid
     WHERE message_words MATCH ? AND messages.kind <> 'tool_result'
       AND messages.session IN (SELECT value FROM json_each(?))
       AND instr(lower(messages.text), ?) > 0
     ORDER BY message_words.rowid DESC LIMIT ?`,
    `text : "${words.join(" ").toLowerCase()}"`,
    keys,
    short.toLowerCase(),
    MOST_MESSAGES,
  );
  const failed = reader.all<Candidate>(
    `SELECT session, excerpt AS text FROM failures
     WHERE session IN (SELECT value FROM json_each(?)) AND instr(lower(excerpt), ?) > 0`,
    keys,
    short.toLowerCase(),
  );
  return new Set(
    [...said, ...failed]
      .filter(({ text }) => names(text, short, file, trees))
      .map(({ session }) => session),
  );
}

/** Whether a text holds the path of the file, or the end of it from a folder on. */
function names(text: string, short: string, file: string, trees: readonly string[]): boolean {
  const lower = text.toLowerCase();
  const wanted = short.toLowerCase();
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (/^(?:[\w/-]|\.\w)/.test(lower.slice(end, end + 2))) continue;
    let start = at;
    while (start > 0 && PATH_CHARACTER.test(lower.charAt(start - 1))) start -= 1;
    if (isPathOf(lower.slice(start, end), file.toLowerCase(), trees)) return true;
  }
  return false;
}

function isPathOf(written: string, file: string, trees: readonly string[]): boolean {
  const path = written.replace(/^(?:\.\/)+/, "").replace(/^@/, "");
  if (path === file || file.endsWith(`/${path}`)) return true;
  return trees.some((tree) => path === `${tree.toLowerCase()}/${file}`);
}
