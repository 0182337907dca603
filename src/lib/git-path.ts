/**
 * File names of git as text. Names are bytes; one that is not UTF-8 is written as git itself quotes
 * it, in double quotes with octal escapes (`"caf\351.txt"`), so that it survives JSON and a shell.
 */
import { below, folderOf } from "./slash-path.ts";

const REPLACEMENT = "\uFFFD";
const ESCAPES: Readonly<Record<string, number>> = {
  '"': 0x22,
  "\\": 0x5c,
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
};
const PRINTABLE = { first: 0x20, last: 0x7e };

/** The path that bytes of a buffer name. */
export function decodePath(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString("utf8", start, end);
  // A name may itself look like one that is quoted.
  if (isQuoted(text)) return quote(bytes.subarray(start, end));
  if (!text.includes(REPLACEMENT)) return text;
  const name = bytes.subarray(start, end);
  return Buffer.from(text, "utf8").equals(name) ? text : quote(name);
}

/** The bytes of a path that `decodePath` wrote. */
export function encodePath(path: string): Buffer {
  return (isQuoted(path) ? unquote(path.slice(1, -1)) : undefined) ?? Buffer.from(path, "utf8");
}

/** Whether a path stands for bytes that are not UTF-8, so that no file API that takes text finds it. */
export function isQuoted(path: string): boolean {
  return path.length > 2 && path.startsWith('"') && path.endsWith('"') && path.includes("\\");
}

/** The folder that holds a path; "" at the top. */
export function parentOf(path: string): string {
  if (!isQuoted(path)) return folderOf(path);
  const bytes = encodePath(path);
  return decodePath(bytes, 0, Math.max(0, bytes.lastIndexOf("/")));
}

/** The path of something called `name` beside what has this path. */
export function besidePath(path: string, name: string): string {
  return pathIn(parentOf(path), name);
}

/** The path of something called `name`, which is plain text, in a folder; "" is the top. */
export function pathIn(folder: string, name: string): string {
  if (!isQuoted(folder)) return below(folder, name);
  return decodePath(Buffer.concat([encodePath(folder), Buffer.from(`/${name}`)]));
}

function quote(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const isPlain = byte >= PRINTABLE.first && byte <= PRINTABLE.last;
    if (byte === ESCAPES['"'] || byte === ESCAPES["\\"]) text += `\\${String.fromCharCode(byte)}`;
    else if (isPlain) text += String.fromCharCode(byte);
    else text += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"${text}"`;
}

function unquote(text: string): Buffer | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character !== "\\") {
      bytes.push(...Buffer.from(character, "utf8"));
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const byte = octal === undefined ? ESCAPES[text.charAt(at + 1)] : Number.parseInt(octal, 8);
    if (byte === undefined) return undefined;
    bytes.push(byte);
    at += octal === undefined ? 1 : 3;
  }
  return Buffer.from(bytes);
}
