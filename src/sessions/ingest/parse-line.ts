/** One line of a transcript as the record it holds. */
import { isRecord, parseJson } from "../../lib/json.ts";

/**
 * Records of Claude Code about its own requests: nine tenths of a transcript, and none of the
 * conversation. They are counted by their type without being parsed.
 */
const PASSED_OVER = /^\{"type":"(api-request(?:-[a-z]+)?|atis-latch|mode|tools-used)"/;
/** Enough of a line to see its type where that comes first. */
const TYPE_BYTES = 64;
const BLANK = /^\s*$/;

/**
 * `undefined` for a line that is no record; `blank` for one that holds nothing.
 * @param whole whether it ends with a newline; what does not may be the beginning of a record.
 */
export function parseLine(
  bytes: Buffer,
  whole: boolean,
): Record<string, unknown> | "blank" | undefined {
  const begin = whole ? bytes.toString("latin1", 0, TYPE_BYTES) : "";
  const type = PASSED_OVER.exec(begin)?.[1];
  if (type !== undefined) return { type };
  const text = bytes.toString("utf8");
  const value = parseJson(text);
  if (isRecord(value)) return value;
  return BLANK.test(text) ? "blank" : undefined;
}
