/** Maven: the Surefire test runner and the Java compiler. */
import { failure, type Place, type TestFailure } from "./failure.ts";
import { blockFrom, placeOf } from "./lines.ts";

const TEST = /^\[ERROR\] (\S.*?) (?:-- | )Time elapsed: [\d.,]+ \w+ +<<< (?:FAILURE|ERROR)!$/;
const OLD_NAME = /^(\S+)\(([\w.$]+)\)$/;
const FRAME = /^\tat (\S+)\(([^:()]+\.\w+):(\d{1,7})\)$/;
const LIBRARY =
  /^(?:java|jdk|javax|sun|kotlin|org\.junit|junit|org\.opentest4j|org\.assertj|org\.hamcrest|org\.testng)[./]/;
const COMPILE_ERROR = /^\[ERROR\] (\S.*\.(?:java|kt|scala)):\[(\d{1,7}),\d{1,7}\] (.+)$/;

function placeIn(body: readonly string[]): Place | undefined {
  for (const line of body) {
    const frame = FRAME.exec(line);
    if (frame?.[1] && frame[2] && !LIBRARY.test(frame[1])) {
      return { file: frame[2], line: Number(frame[3]) };
    }
  }
  return undefined;
}

/** Surefire before 3 printed `method(package.Class)`. */
function nameOf(printed: string): string {
  const old = OLD_NAME.exec(printed.trim());
  return old?.[2]?.includes(".") ? `${old[2]}.${old[1]}` : printed;
}

export function* maven(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const test = TEST.exec(line)?.[1];
    const error = COMPILE_ERROR.exec(line);
    if (test) {
      const body = blockFrom(lines, index + 1, (next) => next.startsWith("[") || next === "");
      const message = blockFrom(body, 0, (next) => next.startsWith("\tat "));
      yield failure(nameOf(test), message, placeIn(body));
    } else if (error?.[3]) {
      yield failure("javac", [error[3]], placeOf(error));
    }
  }
}
