/** `bun scripts/labs/soak.ts --minutes 10`: prints the memory of the first and the last runs. */
import { parseArgs } from "node:util";
import { type SoakReport, soak } from "../../test/support/labs/soak.ts";

/** Runs that are averaged at both ends. */
const SPAN = 10;
/** Growth beyond what differs from run to run. */
const MOST_GROWTH = 1.25;

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });

const mean = (numbers: readonly number[]) =>
  Math.round(numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length));

function text({ runs, counts, peakMegabytes, violations }: SoakReport): string {
  const first = mean(peakMegabytes.slice(0, SPAN));
  const last = mean(peakMegabytes.slice(-SPAN));
  const { kill, stop, pause } = counts;
  return `${runs} runs, ${kill} kills, ${stop} stops, ${pause} pauses; peak memory ${first} MB at first, ${last} MB at last, ${Math.max(0, ...peakMegabytes)} MB at most; ${violations.length} violations`;
}

const report = await soak(Number(values.minutes) * 60_000, (soFar) => {
  if (soFar.runs % SPAN === 0) console.log(text(soFar));
});
for (const violation of report.violations) console.log(`VIOLATION ${violation}`);
const grew =
  mean(report.peakMegabytes.slice(-SPAN)) > mean(report.peakMegabytes.slice(0, SPAN)) * MOST_GROWTH;
const passed = report.violations.length === 0 && !grew;
console.log(`${passed ? "PASS" : "FAIL"}: ${text(report)}`);
process.exit(passed ? 0 : 1);
