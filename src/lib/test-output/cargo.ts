/** `cargo test`, and the errors of the Rust compiler and clippy. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, firstPlace, PATH, placeOf } from "./lines.ts";

const OUTPUT_OF = /^---- (.+) stdout ----$/;
const LIST = "failures:";
const LISTED = /^ {4}(\S.*)$/;
const THREAD = /^thread '([^']*)' (?:\(\d+\) )?panicked at /;
const PANIC = /panicked at (?:'.*', )?((?:[A-Za-z]:)?[^':]+):(\d{1,7}):\d{1,7}:?$/;
const NOT_PANICKED = /did not panic as expected at ([^:]+):(\d{1,7}):/;
const BACKTRACE = /^(?:stack backtrace:|note: run with `RUST_BACKTRACE)/;
/** Most lines of a panic that was not captured. */
const PANIC_LINES = 20;
const COMPILE_ERROR = /^error(?:\[(E\d+)\])?: (.+)$/;
const ARROW = new RegExp(`^ *--> (${PATH}):(\\d{1,7}):\\d{1,7}$`);

function testFailure(name: string, output: readonly string[]): TestFailure {
  const message = blockFrom(output, 0, (line) => BACKTRACE.test(line));
  const place = firstPlace(output, PANIC) ?? firstPlace(output, NOT_PANICKED);
  // The line that names the thread has its number, which differs in every run.
  const text = message.filter((line) => !THREAD.test(line) || place === undefined);
  return failure(name, text, place);
}

function compileError(lines: readonly string[], index: number): TestFailure | undefined {
  const error = COMPILE_ERROR.exec(lines[index] ?? "");
  const place = error ? placeOf(ARROW.exec(lines[index + 1] ?? "")) : undefined;
  if (!error?.[2] || !place) return undefined;
  const source = blockFrom(lines, index + 2, (line) => line.trim() === "");
  return failure(error[1] ?? "rustc", [error[2], ...source], place);
}

/** A test whose output was not captured is only named at the end; its panic stands above. */
export function* cargo(lines: readonly string[]): Generator<TestFailure> {
  const explained = new Set<string>();
  const panics = new Map<string, readonly string[]>();
  for (const [index, line] of lines.entries()) {
    const test = OUTPUT_OF.exec(line)?.[1];
    const thread = THREAD.exec(line)?.[1];
    const error = compileError(lines, index);
    if (test) {
      const isEnd = (next: string) => OUTPUT_OF.test(next) || next === LIST;
      explained.add(test);
      yield testFailure(test, blockFrom(lines, index + 1, isEnd));
    } else if (thread) {
      panics.set(thread, lines.slice(index, index + PANIC_LINES));
    } else if (error) {
      yield error;
    } else if (line === LIST) {
      for (const entry of blockFrom(lines, index + 1, (next) => !LISTED.test(next))) {
        const name = entry.trim();
        if (explained.has(name)) continue;
        yield testFailure(name, panics.get(name) ?? ["the test failed"]);
      }
      explained.clear();
    }
  }
}
