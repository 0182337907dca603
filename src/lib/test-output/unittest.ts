/** Python's unittest. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, lastPlace } from "./lines.ts";
import { PYTHON_FRAME } from "./python.ts";

const HEADING = /^(?:FAIL|ERROR): (\S+) \(([^)]+)\)(.*)$/;
const BORDER = /^={70}$/;
const RULE = /^-{70}$/;

/** Since Python 3.11 the class is followed by the method. */
function nameOf(method: string, owner: string, subtest: string): string {
  const name = owner.endsWith(`.${method}`) ? owner : `${owner}.${method}`;
  return name + subtest;
}

function messageOf(body: readonly string[]): readonly string[] {
  const frame = body.findLastIndex((line) => PYTHON_FRAME.test(line));
  const start = body.findIndex((line, index) => index > frame && !line.startsWith("  "));
  return start === -1 ? body : body.slice(start);
}

export function* unittest(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const heading = HEADING.exec(line);
    if (!heading || !BORDER.test(lines[index - 1] ?? "")) continue;
    const [, method = "", owner = "", subtest = ""] = heading;
    const description = blockFrom(lines, index + 1, (next) => RULE.test(next));
    const start = index + description.length + 2;
    const body = blockFrom(lines, start, (next) => BORDER.test(next) || RULE.test(next));
    yield failure(nameOf(method, owner, subtest), messageOf(body), lastPlace(body, PYTHON_FRAME));
  }
}
