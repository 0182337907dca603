/** The spec reporter of node:test, which repeats every failure at its end. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, firstPlace, placeOf, SCRIPT_FRAME } from "./lines.ts";

const RECAP = "✖ failing tests:";
const PLACE = /^test at (.+):(\d{1,7}):\d{1,7}$/;
const QUOTED = /^\s*'(.*)'$/;
const NAME = /^✖ (.+?) \([\d.]+ms\)( # .*)?$/;

export function* nodeSpec(lines: readonly string[]): Generator<TestFailure> {
  let recap = false;
  for (const [index, line] of lines.entries()) {
    recap ||= line === RECAP;
    const at = recap ? placeOf(PLACE.exec(line)) : undefined;
    const title = at && NAME.exec(lines[index + 1] ?? "");
    if (!title?.[1] || title[2]) continue;
    const body = blockFrom(lines, index + 2, (next) => /^\S/.test(next));
    const message = blockFrom(body, 0, (next) => SCRIPT_FRAME.test(next));
    const quoted = QUOTED.exec(message.join("\n").trimEnd())?.[1];
    yield failure(
      title[1],
      quoted === undefined ? message : [quoted],
      firstPlace(body, SCRIPT_FRAME) ?? at,
    );
  }
}
