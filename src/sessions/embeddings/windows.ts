/** Long texts in pieces that a model of embeddings takes, each with some of what stood before it. */

/** Most bytes of a piece, in UTF-8. */
export const WINDOW_BYTES = 6000;
/** What a piece repeats of the one before it. */
const OVERLAP_BYTES = 600;
/** So far before its end a piece may end, where a message, a line or a word does. */
const SEARCHED_BYTES = 1500;
/** So far behind its beginning a piece may begin, where a line or a word does. */
const SKIPPED_BYTES = 150;
const NEWLINE = 10;
const SPACE = 32;

/** A part of a text that belongs together, such as a message. */
export interface TextPart {
  /** Names the part. */
  readonly line: number;
  readonly text: string;
}

/** A piece, and where it is in the parts, so that it need not be kept. */
export interface TextWindow {
  /** The part in which it begins. */
  readonly line: number;
  /** Bytes of that part before it. */
  readonly offset: number;
  /** Its length, with the blanks at its ends that `text` lacks. */
  readonly bytes: number;
  readonly text: string;
}

interface Begun {
  readonly line: number;
  /** Bytes of the whole text before the part. */
  readonly at: number;
}

/** Pieces without anything but blanks in them are left out. No piece cuts a character. */
export function* textWindows(parts: Iterable<TextPart>): Generator<TextWindow> {
  let bytes: Buffer = Buffer.alloc(0);
  /** Place of `bytes` in the whole text. */
  let at = 0;
  let begun: Begun[] = [];

  const window = (length: number): TextWindow | undefined => {
    const first = begun.findLast((part) => part.at <= at);
    const text = bytes.toString("utf8", 0, length).trim();
    if (first === undefined || text === "") return undefined;
    return { line: first.line, offset: at - first.at, bytes: length, text };
  };

  for (const { line, text } of parts) {
    begun.push({ line, at: at + bytes.length });
    bytes = Buffer.concat([bytes, Buffer.from(text, "utf8")]);
    while (bytes.length > WINDOW_BYTES) {
      const end = pieceEnd(
        bytes,
        begun.map((part) => part.at - at),
      );
      const piece = window(end);
      if (piece !== undefined) yield piece;
      const next = pieceStart(bytes, end - OVERLAP_BYTES);
      bytes = bytes.subarray(next);
      at += next;
      const first = begun.findLastIndex((part) => part.at <= at);
      begun = begun.slice(Math.max(first, 0));
    }
  }
  const last = window(bytes.length);
  if (last !== undefined) yield last;
}

/** Behind the last message, line or word that ends near the end; else behind a character. */
function pieceEnd(bytes: Buffer, parts: readonly number[]): number {
  const earliest = WINDOW_BYTES - SEARCHED_BYTES;
  const part = parts.findLast((at) => at <= WINDOW_BYTES);
  if (part !== undefined && part > earliest) return part;
  for (const mark of [NEWLINE, SPACE]) {
    const found = bytes.lastIndexOf(mark, WINDOW_BYTES - 1) + 1;
    if (found > earliest) return found;
  }
  return characterStart(bytes, WINDOW_BYTES);
}

function pieceStart(bytes: Buffer, from: number): number {
  const near = bytes.subarray(from - 1, from + SKIPPED_BYTES);
  for (const mark of [NEWLINE, SPACE]) {
    const found = near.indexOf(mark);
    if (found >= 0) return from + found;
  }
  return characterStart(bytes, from);
}

/** The place itself, or where the character begins that it lies in. */
function characterStart(bytes: Buffer, from: number): number {
  let start = from;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
