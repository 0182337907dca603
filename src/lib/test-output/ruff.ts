/** Ruff, concise and full; flake8 prints like the concise one. */
import { failure, type TestFailure } from "./failure.ts";
import { PATH, placeOf } from "./lines.ts";

const RULE = "[A-Z]+\\d+|invalid-syntax|SyntaxError";
const CONCISE = new RegExp(
  `^(${PATH}\\.(?:pyi?|ipynb)):(\\d{1,7}):\\d{1,7}: (${RULE}):? (?:\\[\\*\\] )?(.+)$`,
);
const FULL = new RegExp(`^(${RULE}):? (?:\\[\\*\\] )?(.+)$`);
const ARROW = /^ *--> (.+?):(\d{1,7}):\d{1,7}$/;

export function* ruff(lines: readonly string[]): Generator<TestFailure> {
  for (const [index, line] of lines.entries()) {
    const concise = CONCISE.exec(line);
    if (concise?.[3] && concise[4]) {
      yield failure(concise[3], [concise[4]], placeOf(concise));
      continue;
    }
    const full = FULL.exec(line);
    const place = full ? placeOf(ARROW.exec(lines[index + 1] ?? "")) : undefined;
    if (full?.[1] && full[2] && place) yield failure(full[1], [full[2]], place);
  }
}
