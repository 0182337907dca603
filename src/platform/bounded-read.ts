/** Reads of files whose size somebody else decides: memory stays bounded whatever is in them. */
import { readFileSync } from "node:fs";
import { access, constants, open, stat } from "node:fs/promises";
import { systemCode } from "./file-error.ts";

const decoder = new TextDecoder();
const NEWLINE = 10;

/** The beginning of a file. */
export interface FileHead {
  readonly text: string;
  /** Bytes of the file that `text` leaves out. */
  readonly omittedBytes: number;
}

/** Both ends of a file; `tail` is empty when the file fits into `head`. */
export interface FileEnds extends FileHead {
  readonly tail: string;
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** What a path leads to that is missing, hidden, or leads nowhere. */
const NO_FILE = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES"];
/** The same, and names no file can have, and devices and sockets that nobody serves. */
const NOT_OPENED = [...NO_FILE, "EPERM", "ENXIO", "ENAMETOOLONG", "EISDIR", "ENODEV"];

/** Size in bytes of a readable regular file; `undefined` for everything else, pipes and devices included. */
async function regularSize(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    await access(path, constants.R_OK);
    return found.size;
  } catch (error) {
    if (NO_FILE.includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Decodes what was cut off `before` or `after`; a character that the cut split is left out. */
function decodeCut(bytes: Uint8Array, cut: "before" | "after"): string {
  let start = 0;
  while (cut === "before" && start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: cut === "before" });
  return utf8.decode(bytes.subarray(start), { stream: cut === "after" });
}

async function slice(path: string, from: number, to: number): Promise<Uint8Array> {
  return new Uint8Array(await Bun.file(path).slice(from, to).arrayBuffer());
}

/** Reads at most `limitBytes` from the start of a readable regular file; `undefined` where there is none. */
export async function readHead(path: string, limitBytes: number): Promise<FileHead | undefined> {
  const size = await regularSize(path);
  if (size === undefined) return undefined;
  if (size <= limitBytes) return { text: await Bun.file(path).text(), omittedBytes: 0 };
  return {
    text: decodeCut(await slice(path, 0, limitBytes), "after"),
    omittedBytes: size - limitBytes,
  };
}

/** Reads at most `endBytes` from each end of a readable regular file; `undefined` where there is none. */
export async function readEnds(path: string, endBytes: number): Promise<FileEnds | undefined> {
  const size = await regularSize(path);
  if (size === undefined) return undefined;
  if (size <= 2 * endBytes) return { text: await Bun.file(path).text(), tail: "", omittedBytes: 0 };
  return {
    text: decodeCut(await slice(path, 0, endBytes), "after"),
    tail: decodeCut(await slice(path, size - endBytes, size), "before"),
    omittedBytes: size - 2 * endBytes,
  };
}

/** Reads at most `limitBytes` from the end of a readable regular file; empty where there is none. */
export async function readTail(path: string, limitBytes: number): Promise<string> {
  const size = await regularSize(path);
  if (size === undefined) return "";
  if (size <= limitBytes) return Bun.file(path).text();
  return decodeCut(await slice(path, size - limitBytes, size), "before");
}

/** The bytes of a file that is there, piece by piece. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  yield* Bun.file(path).stream();
}

/**
 * The bytes of a regular file; `undefined` for everything else: what is missing, hidden, larger than
 * the limit, a link, a pipe that would keep the reader waiting.
 */
export async function readRegularFile(
  path: string,
  limitBytes: number,
): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    return found.isFile() && found.size <= limitBytes ? await file.readFile() : undefined;
  } catch (error) {
    if (NOT_OPENED.includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/**
 * Streams the lines of a readable regular file, without their newlines; nothing where there is no file.
 * A line of more than `maxLineBytes` is left out.
 */
export async function* readLines(path: string, maxLineBytes: number): AsyncGenerator<string> {
  if ((await regularSize(path)) === undefined) return;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length <= maxLineBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): string | undefined => {
    const line = length <= maxLineBytes ? decoder.decode(Buffer.concat(pieces)) : undefined;
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of Bun.file(path).stream()) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      const line = finish();
      if (line !== undefined) yield line;
      from = at + 1;
    }
    take(chunk.slice(from));
  }
  const last = finish();
  if (last) yield last;
}

/** All of a text file of our own, at once, for work that cannot wait. */
export function readTextNow(path: string): string {
  return readFileSync(path, "utf8");
}
