/** Reading a command's output line by line. */
// The whole of it: naming one function would load the module behind it, tens of milliseconds, at once.
import util from "node:util";
import type { Place } from "./failure.ts";

/** Longer lines are cut: no tool prints a name or a place behind this column. */
const LINE_LIMIT = 4000;
/** Most lines that are read; the last ones, where the tools sum up. */
const COUNT_LIMIT = 200_000;
/** Most lines, and about as many characters, that are read for one message. */
const BLOCK_LIMIT = 400;
const BLOCK_CHARACTERS = 64 * 1024;

/** Regular expression source of a path that ends at a colon, so that matching stays linear. */
export const PATH = "(?:[A-Za-z]:)?[^\\s:][^:]*";

/** The output without colours and other escape sequences; every line end becomes `\\n`. */
export function withoutColours(output: string): string {
  return util.stripVTControlCharacters(output).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
}

/** The lines of an output without colours, the last `COUNT_LIMIT` of them. */
export function outputLines(output: string): string[] {
  const text = withoutColours(output);
  let start = text.length;
  for (let count = 0; count < COUNT_LIMIT && start > 0; count += 1) {
    start = text.lastIndexOf("\n", start - 1);
  }
  return text.slice(Math.max(start, 0)).split("\n");
}

export function cutLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line.length > LINE_LIMIT ? line.slice(0, LINE_LIMIT) : line));
}

/** The lines from `start` up to the first that ends the block, at most `BLOCK_LIMIT` of them. */
export function blockFrom(
  lines: readonly string[],
  start: number,
  ends: (line: string) => boolean,
): string[] {
  const block: string[] = [];
  let characters = 0;
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    characters += line.length;
    if (block.length >= BLOCK_LIMIT || characters > BLOCK_CHARACTERS || ends(line)) break;
    block.push(line);
  }
  return block;
}

/** Adds a line to a block that keeps only its beginning and its end when it grows too long. */
export function addLine(block: string[], line: string): void {
  block.push(line);
  if (block.length > BLOCK_LIMIT) block.splice(BLOCK_LIMIT / 2, BLOCK_LIMIT / 4, "[…]");
}

/** Files of tools, runtimes and installed packages, where no project's failure comes from. */
const FOREIGN = new RegExp(
  [
    "^node:|^native$|node_modules/",
    "site-packages/|/lib/pythond",
    "_testmain\\.go|/(?:go[d.]*|libexec)/src/[^/.]+/|/pkg/mod/",
  ].join("|"),
);

/** The place a pattern found (group 1 the file, 2 the line), unless it is not the project's. */
export function placeOf(match: RegExpExecArray | null): Place | undefined {
  const file = match?.[1]?.replace(/^file:\/\//, "").replace(/^\.\//, "");
  if (!file || FOREIGN.test(file)) return undefined;
  const line = match?.[2];
  return line === undefined ? { file } : { file, line: Number(line) };
}

/** The first place of the project that the pattern finds. */
export function firstPlace(lines: readonly string[], pattern: RegExp): Place | undefined {
  for (const line of lines) {
    const place = placeOf(pattern.exec(line));
    if (place) return place;
  }
  return undefined;
}

/** The last place of the project that the pattern finds. */
export function lastPlace(lines: readonly string[], pattern: RegExp): Place | undefined {
  return firstPlace(lines.toReversed(), pattern);
}

/** One frame of a JavaScript stack. */
export const SCRIPT_FRAME =
  /^\s*at (?:.*\()?((?:file:\/\/)?[^()\s][^()]*?):(\d{1,7}):\d{1,7}\)?(?: \{)?$/;
