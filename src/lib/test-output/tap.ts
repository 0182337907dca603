/** The Test Anything Protocol, with the details that node:test adds. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, placeOf } from "./lines.ts";

const NOT_OK = /^( *)not ok \d+(?: -)? ?(.*?)( # (?:TODO|SKIP)\b.*)?$/i;
const INLINE_ERROR = /^\s+(?:error|message): (['"]?)([^|>].*)\1$/;
const BLOCK_ERROR = /^(\s+)(?:error|message): [|>]-?$/;
const LOCATION = /^\s+location: '?(.+?):(\d{1,7}):\d{1,7}'?$/;
const ONLY_CHILDREN = /^\s+failureType: 'subtestsFailed'$/;

function indentOf(line: string): number {
  const start = line.search(/\S/);
  return start === -1 ? Number.POSITIVE_INFINITY : start;
}

function errorOf(details: readonly string[]): readonly string[] {
  for (const [index, line] of details.entries()) {
    const inline = INLINE_ERROR.exec(line)?.[2];
    if (inline) return [inline];
    const block = BLOCK_ERROR.exec(line)?.[1];
    if (block !== undefined) {
      return blockFrom(details, index + 1, (next) => indentOf(next) <= block.length);
    }
  }
  return [];
}

export function* tap(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const test = NOT_OK.exec(line);
    if (!test || test[3]) continue;
    const indent = test[1]?.length ?? 0;
    const details = blockFrom(
      lines,
      index + 1,
      (next) => indentOf(next) <= indent || next.trim() === "...",
    );
    if (details.some((detail) => ONLY_CHILDREN.test(detail))) continue;
    const location = details.find((detail) => LOCATION.test(detail));
    const error = errorOf(details);
    const name = (test[2] || line.trim()).replace(/\\([#\\])/g, "$1");
    const place = location === undefined ? undefined : placeOf(LOCATION.exec(location));
    yield failure(name, error.length > 0 ? error : [line], place);
  }
}
