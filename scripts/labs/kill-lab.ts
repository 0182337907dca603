/** `bun scripts/labs/kill-lab.ts --kills 1000`: fails on the first promise that a kill breaks. */
import { parseArgs } from "node:util";
import { killLab, type LabReport } from "../../test/support/labs/kill-lab.ts";

const { values } = parseArgs({ options: { kills: { type: "string", default: "1000" } } });

function counts({ kills, runs, early, resumes, violations }: LabReport): string {
  return `${kills} kills of ${runs} runs (${early} before the claim, ${resumes} of a resume), ${violations.length} violations`;
}

let told = 0;
const report = await killLab(Number(values.kills), (soFar) => {
  for (const violation of soFar.violations.slice(told)) console.log(`VIOLATION ${violation}`);
  told = soFar.violations.length;
  if (soFar.runs % 10 === 0) console.log(counts(soFar));
});
console.log(`${report.violations.length === 0 ? "PASS" : "FAIL"}: ${counts(report)}`);
process.exit(report.violations.length === 0 ? 0 : 1);
