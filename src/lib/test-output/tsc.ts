/** The TypeScript compiler, plain and pretty. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, placeOf } from "./lines.ts";

const PLAIN = /^(\S.*?)\((\d{1,7}),\d{1,7}\): error (TS\d+): (.+)$/;
const PRETTY = /^(\S.*?):(\d{1,7}):\d{1,7} - error (TS\d+): (.+)$/;
const GLOBAL = /^error (TS\d+): (.+)$/;

export function* tsc(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const error = PLAIN.exec(line) ?? PRETTY.exec(line);
    const general = GLOBAL.exec(line);
    if (error?.[3] && error[4]) {
      const more = blockFrom(lines, index + 1, (next) => !next.startsWith("  "));
      yield failure(error[3], [error[4], ...more], placeOf(error));
    } else if (general?.[1] && general[2]) {
      yield failure(general[1], [general[2]]);
    }
  }
}
