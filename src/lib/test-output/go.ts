/** `go test`, plain and verbose, and the errors of the Go compiler and `go vet`. */
import { failure, type Place, type TestFailure } from "./failure.ts";
import { addLine, blockFrom, firstPlace, PATH, placeOf } from "./lines.ts";

const OUTPUT_OF = /^=== (?:RUN|CONT|NAME) +(\S.*)$/;
const RESULT = /^ *--- (FAIL|PASS|SKIP): (\S+) \(/;
const PACKAGE = /^(FAIL|ok {2})\t(\S+)(?: \[(?:build|setup) failed\])?/;
const COMPILED_PACKAGE = /^# ([^\s[]\S*)/;
const COMPILE_ERROR = new RegExp(`^(?:vet: )?(${PATH}\\.go):(\\d{1,7}):\\d{1,7}: (.+)$`);
const PANIC = /^(?:panic|fatal error): /;
const TIMEOUT = "panic: test timed out";
const RUNNING = /^\t\t(\S+) \([\dhm.]+s\)$/;
const ASSERTION = /^\s+([^\s:]+\.go):(\d{1,7}): /;
const FRAME = /^\t(\S.*\.go):(\d{1,7})(?: |$)/;
/** Deepest nesting of tests that is looked at. */
const DEPTH_LIMIT = 16;
const NOISE = /^(?:FAIL|PASS|exit status \d+|coverage: .*)$/;

interface GoTest {
  failed: boolean;
  readonly lines: string[];
}

function testNamed(tests: Map<string, GoTest>, name: string): GoTest {
  const test = tests.get(name) ?? { failed: false, lines: [] };
  tests.set(name, test);
  return test;
}

function placeIn(lines: readonly string[]): Place | undefined {
  const pattern = lines.some((line) => PANIC.test(line)) ? FRAME : ASSERTION;
  return firstPlace(lines, pattern);
}

/** A timeout is printed outside of any test, but names the tests that were running. */
function timedOutTest(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const running = RUNNING.exec(line)?.[1];
    if (running) return running;
  }
  return undefined;
}

/** The names that the failed tests are nested under; a name of its own may contain a slash. */
function parentsOf(names: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  for (const name of names) {
    let slash = name.indexOf("/");
    for (let depth = 0; slash !== -1 && depth < DEPTH_LIMIT; depth += 1) {
      parents.add(name.slice(0, slash));
      slash = name.indexOf("/", slash + 1);
    }
  }
  return parents;
}

function* failuresOf(tests: Map<string, GoTest>, unit: string): Generator<TestFailure> {
  const failed = [...tests].filter(([, test]) => test.failed);
  const parents = parentsOf(failed.map(([name]) => name));
  for (const [name, test] of failed) {
    if (parents.has(name) && test.lines.every((line) => line.trim() === "")) continue;
    const message = blockFrom(test.lines, 0, (line) => line.startsWith("goroutine "));
    const shown = name === TIMEOUT ? (timedOutTest(test.lines) ?? "timeout") : name;
    yield failure(unit === "" ? shown : `${unit}.${shown}`, message, placeIn(test.lines));
  }
}

export function* goTest(lines: readonly string[]): Generator<TestFailure> {
  let tests = new Map<string, GoTest>();
  let current: GoTest | undefined;
  let compiled = "go build";
  for (const [index, line] of lines.entries()) {
    const result = RESULT.exec(line);
    const output = OUTPUT_OF.exec(line);
    const ended = PACKAGE.exec(line);
    const compileError = COMPILE_ERROR.exec(line);
    if (result?.[2]) {
      current = testNamed(tests, result[2]);
      current.failed = result[1] === "FAIL";
    } else if (output?.[1]) {
      current = testNamed(tests, output[1]);
    } else if (ended?.[2]) {
      yield* failuresOf(tests, ended[2]);
      tests = new Map();
      current = undefined;
    } else if (compileError?.[3]) {
      const more = blockFrom(lines, index + 1, (next) => !next.startsWith("\t"));
      yield failure(compiled, [compileError[3], ...more], placeOf(compileError));
    } else if (PANIC.test(line)) {
      if (current === undefined || line.startsWith(TIMEOUT)) current = testNamed(tests, TIMEOUT);
      current.failed = true;
      addLine(current.lines, line);
    } else if (current && !NOISE.test(line)) {
      addLine(current.lines, line);
    } else {
      compiled = COMPILED_PACKAGE.exec(line)?.[1] ?? compiled;
    }
  }
  yield* failuresOf(tests, "");
}
