/** ESLint: its default output and the unix formatter. */
import { failure, type TestFailure } from "./failure.ts";
import { PATH, placeOf } from "./lines.ts";

const PROBLEM = /^ {2,}(\d{1,7}):\d{1,7} {2,}(error|warning) {2,}(\S.*)$/;
const UNIX = new RegExp(
  `^(${PATH}):(\\d{1,7}):\\d{1,7}: (.+) \\[(Error|Warning)(?:/([^\\][]+))?\\]$`,
);
const TOO_MANY_WARNINGS = "ESLint found too many warnings";

/** The rule stands last, in its own column; parse errors have none. */
function splitRule(text: string): { rule: string; message: string } {
  const column = text.lastIndexOf("  ");
  const rule = text.slice(column + 2);
  if (column === -1 || rule.includes(" ")) return { rule: "eslint", message: text };
  return { rule, message: text.slice(0, column) };
}

export function* eslint(lines: readonly string[]): Generator<TestFailure> {
  const warningsCount = lines.some((line) => line.startsWith(TOO_MANY_WARNINGS));
  let file: string | undefined;
  for (const line of lines) {
    const problem = PROBLEM.exec(line);
    const unix = UNIX.exec(line);
    if (problem?.[3] && file !== undefined) {
      if (problem[2] === "warning" && !warningsCount) continue;
      const { rule, message } = splitRule(problem[3].trim());
      yield failure(rule, [message], { file, line: Number(problem[1]) });
    } else if (unix?.[3]) {
      if (unix[4] === "Warning" && !warningsCount) continue;
      yield failure(unix[5] ?? "eslint", [unix[3]], placeOf(unix));
    } else if (line === "" || /^\s/.test(line)) {
      file = undefined;
    } else {
      file = line;
    }
  }
}
