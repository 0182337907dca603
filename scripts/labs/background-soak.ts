/**
 * `bun scripts/labs/background-soak.ts --minutes 10 --runs 200 --seed 1`: at least so many runs in the
 * background, for at least so long, at most 16 at once; from source, or with `--program dist/pallium`.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PALLIUM } from "../../test/support/cli.ts";
import {
  type BackgroundSoakReport,
  backgroundSoak,
} from "../../test/support/labs/background-soak.ts";

const TOLD_EVERY = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    runs: { type: "string", default: "200" },
    limit: { type: "string", default: "16" },
    pause: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    program: { type: "string" },
  },
});

const list = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

function text(report: BackgroundSoakReport): string {
  const { runs, counts, struck, resumes, refusals, mostActive, statuses, violations } = report;
  return `${runs} runs (${list(statuses)}); ${list(counts)}; ${struck} of them while it was at work; ${resumes} resumes; ${mostActive} at once at most, ${refusals} refused; ${violations.length} violations`;
}

let told = 0;
const report = await backgroundSoak(
  {
    runs: Number(values.runs),
    durationMs: Number(values.minutes) * 60_000,
    limit: Number(values.limit),
    seed: Number(values.seed),
    pauseMs: Number(values.pause),
    program: values.program === undefined ? PALLIUM : [resolve(values.program)],
  },
  (soFar) => {
    for (const violation of soFar.violations.slice(told)) console.log(`VIOLATION ${violation}`);
    told = soFar.violations.length;
    if (soFar.runs % TOLD_EVERY === 0) console.log(text(soFar));
  },
);
for (const violation of report.violations.slice(told)) console.log(`VIOLATION ${violation}`);
const passed = report.violations.length === 0;
console.log(`${passed ? "PASS" : "FAIL"}: ${text(report)}`);
process.exit(passed ? 0 : 1);
