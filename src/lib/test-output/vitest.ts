/** Vitest. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, firstPlace } from "./lines.ts";

const TEST = /^ FAIL {2}(?:\|[^|]*\| +)?(\S.*?) > (.+)$/;
const SUITE = /^ FAIL {2}(?:\|[^|]*\| +)?(\S.*?) \[ .+ \]$/;
const FRAME = /^ ❯ (?:.* )?([^ ]+):(\d{1,7}):\d{1,7}$/;
const RULE = /^⎯{3,}/;

interface Title {
  readonly name: string;
  readonly file: string;
}

function titleOf(line: string): Title | undefined {
  const suite = line.endsWith(" ]") ? SUITE.exec(line)?.[1] : undefined;
  if (suite) return { name: suite, file: suite };
  const test = TEST.exec(line);
  return test?.[1] && test[2] ? { name: test[2], file: test[1] } : undefined;
}

/** Tests that failed alike are listed above one message. */
export function* vitest(lines: readonly string[]): Generator<TestFailure> {
  let titles: Title[] = [];
  for (const [index, line] of lines.entries()) {
    const title = titleOf(line);
    if (!title) continue;
    titles.push(title);
    if (titleOf(lines[index + 1] ?? "")) continue;
    const body = blockFrom(lines, index + 1, (next) => RULE.test(next));
    const message = blockFrom(body, 0, (next) => FRAME.test(next));
    const place = firstPlace(body, FRAME);
    for (const { name, file } of titles) yield failure(name, message, place ?? { file });
    titles = [];
  }
}
