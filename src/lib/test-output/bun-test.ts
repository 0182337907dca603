/** `bun test`: an error is printed before the line that says which test it failed. */
import { failure, type TestFailure } from "./failure.ts";
import { addLine, blockFrom, firstPlace, SCRIPT_FRAME } from "./lines.ts";

const FAILED = /^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$/;
const OTHER_RESULT = /^(?:\((?:pass|skip|todo)\)|[✓»✎]) /;
const FILE = /^(?:::group::)?([^\s:]\S*\.[cm]?[jt]sx?):$/;
const BETWEEN_TESTS = "# Unhandled error between tests";
const RULE = /^-{5,}$/;
const ERROR = /^(?:[A-Z]\w*)?[Ee]rror: /;
const TIMED_OUT = /^ {2}\^ (.+)$/;
const RECAP = /^\d+ tests? failed:$/;

function messageOf(body: readonly string[]): readonly string[] {
  const error = body.findIndex((line) => ERROR.test(line));
  return blockFrom(body, Math.max(error, 0), (line) => SCRIPT_FRAME.test(line));
}

export function* bunTest(lines: readonly string[]): Generator<TestFailure> {
  let file: string | undefined;
  let body: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (RECAP.test(line)) return;
    const name = FAILED.exec(line)?.[1];
    const header = FILE.exec(line)?.[1];
    if (name) {
      const reason = TIMED_OUT.exec(lines[index + 1] ?? "")?.[1];
      const message = reason === undefined ? messageOf(body) : [reason];
      const place = reason === undefined ? firstPlace(body, SCRIPT_FRAME) : undefined;
      yield failure(name, message, place ?? (file === undefined ? undefined : { file }));
      body = [];
    } else if (line === BETWEEN_TESTS) {
      const error = blockFrom(lines, index + 2, (next) => RULE.test(next));
      const place = firstPlace(error, SCRIPT_FRAME) ?? (file === undefined ? undefined : { file });
      yield failure("error between tests", messageOf(error), place);
    } else if (header || OTHER_RESULT.test(line)) {
      file = header ?? file;
      body = [];
    } else {
      addLine(body, line);
    }
  }
}
