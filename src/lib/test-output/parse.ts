/** Finds the failures in the output of test runners, compilers and linters. */
import { bunTest } from "./bun-test.ts";
import { cargo } from "./cargo.ts";
import { eslint } from "./eslint.ts";
import type { OutputFormat, TestFailure } from "./failure.ts";
import { goTest } from "./go.ts";
import { unwrapGoEvents } from "./go-events.ts";
import { jest } from "./jest.ts";
import { cutLines, outputLines } from "./lines.ts";
import { maven } from "./maven.ts";
import { mypy } from "./mypy.ts";
import { nodeSpec } from "./node-spec.ts";
import { pytest } from "./pytest.ts";
import { ruff } from "./ruff.ts";
import { tap } from "./tap.ts";
import { tsc } from "./tsc.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** Most failures that are returned; whoever shows them says when there are that many. */
export const FAILURE_LIMIT = 200;

const FORMATS: readonly OutputFormat[] = [
  goTest,
  pytest,
  unittest,
  jest,
  vitest,
  bunTest,
  nodeSpec,
  tap,
  cargo,
  maven,
  tsc,
  eslint,
  ruff,
  mypy,
];

/**
 * Reads what a command printed. Every known format is tried, so the output may come from several
 * tools; colours are ignored, what is printed twice is returned once, and of very long output the last
 * 200,000 lines are read.
 * @returns at most `FAILURE_LIMIT` failures; none when `exitCode` is 0 or no format is recognised.
 */
export function parseFailures(output: string, exitCode: number): TestFailure[] {
  if (exitCode === 0) return [];
  const lines = cutLines(unwrapGoEvents(outputLines(output)));
  const failures = new Map<string, TestFailure>();
  for (const format of FORMATS) {
    for (const failure of format(lines)) {
      failures.set(JSON.stringify(failure), failure);
      if (failures.size === FAILURE_LIMIT) return [...failures.values()];
    }
  }
  return [...failures.values()];
}
