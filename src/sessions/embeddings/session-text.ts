/** What is embedded of a session: an overview of it, and what was said in it. */
import { oneLine } from "../../lib/one-line.ts";
import { wholeCharacters } from "../../lib/whole-characters.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import { sessionRecords } from "../reports/session-record.ts";
import { type TextPart, type TextWindow, textWindows } from "./windows.ts";

export type ChunkKind = "overview" | "transcript";

export interface Chunk extends TextWindow {
  readonly kind: ChunkKind;
}

/** Where the text of a chunk is. */
export type ChunkPlace = Omit<Chunk, "text">;

/** What is taken of a session for its overview; the whole is in the transcript. */
const OVERVIEW = { text: 1500, entries: 40 };
const ENTRY_LENGTH = 200;
/** Of what a tool said so much is taken from either end; in characters. */
const RESULT_ENDS = 3000;
/** Messages that are held at a time. */
const PAGE = 64;

/** The pieces of a session in order. What a fork holds copies of is its origin's. */
export function* sessionChunks(reader: Reader, session: number): Generator<Chunk> {
  for (const kind of ["overview", "transcript"] as const) {
    for (const window of textWindows(partsOf(reader, session, kind, 0))) yield { kind, ...window };
  }
}

/** The text of a piece; another one, or none, where the session has changed since. */
export function chunkText(reader: Reader, session: number, place: ChunkPlace): string {
  const { kind, line, offset, bytes } = place;
  const pieces: Buffer[] = [];
  let length = 0;
  for (const { text } of partsOf(reader, session, kind, line)) {
    const piece = Buffer.from(text, "utf8");
    pieces.push(piece);
    length += piece.length;
    if (length >= offset + bytes) break;
  }
  return Buffer.concat(pieces)
    .toString("utf8", offset, offset + bytes)
    .trim();
}

function partsOf(
  reader: Reader,
  session: number,
  kind: ChunkKind,
  fromLine: number,
): Iterable<TextPart> {
  return kind === "overview"
    ? [{ line: 0, text: overview(reader, session) }]
    : messageParts(reader, session, fromLine);
}

function overview(reader: Reader, session: number): string {
  const [record] = sessionRecords(reader, [session], OVERVIEW);
  if (record === undefined) return "";
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ["title", [record.title]],
    ["cwd", [record.cwd]],
    ["git", [record.git_origin_url, record.git_branch]],
    ["first ask", [record.first_user_message]],
    ["last agent message", [record.last_agent_message]],
    ["files", shortened(record.files_touched)],
    ["commands", shortened(record.commands)],
    ["errors", shortened(record.errors)],
  ];
  return lines
    .map(([name, values]) => [name, values.filter((value) => value !== "")] as const)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.join("\n  ")}\n`)
    .join("");
}

function shortened(entries: readonly string[]): readonly string[] {
  return entries.map((entry) => oneLine(entry, ENTRY_LENGTH));
}

interface Message {
  readonly key: number;
  readonly line_no: number;
  readonly role: string;
  readonly kind: string;
  readonly text: string;
}

function* messageParts(reader: Reader, session: number, fromLine: number): Generator<TextPart> {
  let last = { line_no: fromLine, key: 0 };
  for (;;) {
    const page = reader.all<Message>(
      `SELECT key, line_no, role, kind, text FROM messages
       WHERE session = ? AND (line_no, key) > (?, ?) ORDER BY line_no, key LIMIT ${PAGE}`,
      session,
      last.line_no,
      last.key,
    );
    for (const message of page) yield { line: message.line_no, text: asPart(message) };
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end;
  }
}

function asPart({ role, kind, line_no: line, text }: Message): string {
  const said = kind === "tool_result" ? bothEnds(text) : text;
  return `[${role}/${kind} line ${line}]\n${said}\n\n`;
}

/** What tools print can be of any length and says little; its ends say how it began and came out. */
function bothEnds(text: string): string {
  const leftOut = text.length - 2 * RESULT_ENDS;
  if (leftOut <= 0) return text;
  const head = wholeCharacters(text.slice(0, RESULT_ENDS));
  const tail = wholeCharacters(text.slice(-RESULT_ENDS));
  return `${head}\n[${leftOut} characters left out]\n${tail}`;
}
