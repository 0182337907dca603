/** The short form of `scripts/labs/background-soak.ts`. */
import { expect, test } from "bun:test";
import { PALLIUM } from "../support/cli.ts";
import { backgroundSoak } from "../support/labs/background-soak.ts";

test("runs in the background are on record as they are, and never too many, whatever is done to them (C4)", async () => {
  const report = await backgroundSoak({
    runs: 4,
    durationMs: 0,
    limit: 2,
    seed: 4,
    pauseMs: 200,
    program: PALLIUM,
  });
  expect(report.violations).toEqual([]);
  expect([report.runs, report.mostActive]).toEqual([4, 2]);
}, 120_000);
