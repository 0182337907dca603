import { languageOf } from "../imports/language.ts";
import { scan } from "../imports/scan.ts";
import type { Scan } from "../imports/types.ts";

/** What is kept of a file's content. */
export interface ScannedFile {
  /** How many lines; 0 for what is no text. */
  readonly lines: number;
  /** What it says of other files; absent where nothing is known of the language. */
  readonly scan?: Scan;
}

/** Larger files are generated, or data: nothing of them is read. In bytes. */
export const SIZE_LIMIT = 1024 * 1024;
/** Content with a NUL byte so near its beginning is no text; git decides by the same number. */
const BINARY_PREFIX = 8000;
const NEWLINE = 0x0a;

/** Looks at a file's content; `path` says in what language it may be. */
export function scanFile(path: string, content: Buffer): ScannedFile {
  if (content.subarray(0, BINARY_PREFIX).includes(0)) return { lines: 0 };
  const lines = countLines(content);
  const language = languageOf(path);
  return language === undefined ? { lines } : { lines, scan: scan(language, content.toString()) };
}

function countLines(content: Buffer): number {
  let lines = 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines++;
  return content.length > 0 && content.at(-1) !== NEWLINE ? lines + 1 : lines;
}
