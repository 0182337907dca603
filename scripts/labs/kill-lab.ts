/**
 * `bun scripts/labs/kill-lab.ts --kills 1000`: prints the promises that a kill broke. With `--edits`
 * the agents edit a repository; `--seed 1` then chooses what is done.
 */
import { parseArgs } from "node:util";
import { editKillLab } from "../../test/support/labs/edit-kill-lab.ts";
import { killLab, type LabReport } from "../../test/support/labs/kill-lab.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    edits: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});

function counts({ kills, runs, early, resumes, violations }: LabReport): string {
  return `${kills} kills of ${runs} runs (${early} before the claim, ${resumes} of a resume), ${violations.length} violations`;
}

let told = 0;
const tell = (soFar: LabReport) => {
  for (const violation of soFar.violations.slice(told)) console.log(`VIOLATION ${violation}`);
  told = soFar.violations.length;
  if (soFar.runs % 10 === 0) console.log(counts(soFar));
};
const kills = Number(values.kills);
const report = values.edits
  ? await editKillLab(kills, Number(values.seed), tell)
  : await killLab(kills, tell);
console.log(`${report.violations.length === 0 ? "PASS" : "FAIL"}: ${counts(report)}`);
process.exit(report.violations.length === 0 ? 0 : 1);
