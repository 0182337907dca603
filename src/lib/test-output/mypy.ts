/** mypy, plain and pretty; the pretty output wraps messages. */
import { failure, type TestFailure } from "./failure.ts";
import { blockFrom, PATH, placeOf } from "./lines.ts";

const ERROR = new RegExp(`^(${PATH}\\.pyi?):(\\d{1,7})(?::\\d{1,7}){0,3}: error: (.+)$`);
const CODE = /^(.*\S) +\[([a-z][a-z-]*)\]$/;
const BLOCK_END = /^(?: {4}|\S.*?\.pyi?:\d|Found \d|$)/;
/** Most lines over which a message is wrapped. */
const WRAP_LIMIT = 10;

export function* mypy(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const error = ERROR.exec(line);
    if (!error?.[3]) continue;
    const wrapped = CODE.test(error[3])
      ? []
      : blockFrom(lines.slice(index + 1, index + WRAP_LIMIT), 0, (next) => BLOCK_END.test(next));
    const text = [error[3], ...wrapped.map((part) => part.trim())].join(" ");
    const coded = CODE.exec(text);
    yield failure(coded?.[2] ?? "mypy", [coded?.[1] ?? text], placeOf(error));
  }
}
