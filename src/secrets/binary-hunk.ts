/** Contents of binary files in patches of git: packed by zlib, then written in base 85. */
import { inflate } from "../platform/inflate.ts";

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const DIGITS = new Map(Array.from(ALPHABET, (digit, value) => [digit.charCodeAt(0), value]));
const LINE = /^[A-Za-z](?:[!-~]{5})+$/;
const SWAPPED = new TextDecoder("utf-16be");

export function isHunkLine(line: string): boolean {
  return LINE.test(line);
}

/**
 * What one hunk holds.
 * @param lines those after its head, `literal <size>`, up to the empty one; each `isHunkLine`.
 * @param size of the content in bytes, as the head says.
 * @returns `undefined` where the lines are not what git writes.
 */
export function decodeHunk(lines: readonly string[], size: number): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  for (const line of lines) {
    const piece = decodeLine(line);
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  const content = inflate(Buffer.concat(pieces), size);
  return content?.length === size ? content : undefined;
}

/** The first letter says how many bytes, then five digits stand for each four of them. */
function decodeLine(line: string): Uint8Array | undefined {
  const code = line.charCodeAt(0);
  const length = code <= 90 ? code - 64 : code - 70;
  const bytes = Buffer.alloc(((line.length - 1) / 5) * 4);
  for (let at = 1, to = 0; at < line.length; at += 5, to += 4) {
    let value = 0;
    for (let next = at; next < at + 5; next += 1) {
      value = value * 85 + (DIGITS.get(line.charCodeAt(next)) ?? Number.NaN);
    }
    if (!(value < 2 ** 32)) return undefined;
    bytes.writeUInt32BE(value, to);
  }
  return length <= bytes.length ? bytes.subarray(0, length) : undefined;
}

/** Bytes as text: UTF-16 where they begin as such, else UTF-8 with what is none replaced. */
export function binaryText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (first === 0xff && second === 0xfe) return buffer.toString("utf16le");
  return first === 0xfe && second === 0xff ? SWAPPED.decode(bytes) : buffer.toString("utf8");
}
