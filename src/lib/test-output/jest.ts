/** Jest. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, firstPlace, SCRIPT_FRAME } from "./lines.ts";

const SUITE = /^ ?FAIL +(\S.*?)(?: \([\d.]+ m?s\))?$/;
const PASSED_SUITE = /^ ?PASS +\S/;
const TITLE = /^ {2}● (.+)$/;
const BLOCK_END = /^(?: ?(?:FAIL|PASS) +\S| {2}● |Test Suites: |Summary of all failing tests$)/;
const CODE_OR_STACK = /^\s*(?:>? *\d+ \||at \S)/;

export function* jest(lines: readonly string[]): Generator<TestFailure> {
  let suite: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (PASSED_SUITE.test(line)) suite = undefined;
    suite = SUITE.exec(line)?.[1] ?? suite;
    const title = TITLE.exec(line)?.[1];
    if (suite === undefined || !title || title === "Console") continue;
    const body = blockFrom(lines, index + 1, (next) => BLOCK_END.test(next));
    const message = blockFrom(body, 0, (next) => CODE_OR_STACK.test(next));
    const place = firstPlace(body, SCRIPT_FRAME) ?? { file: suite.replace(/^\.\//, "") };
    yield failure(title, message, place);
  }
}
