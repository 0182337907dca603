/** `bun scripts/labs/edit-lab.ts --cases 1000 --seed 1`: prints the seed of each case that fails. */
import { parseArgs } from "node:util";
import { messageOf } from "../../src/lib/errors.ts";
import { editCase } from "../../test/support/labs/edit-lab.ts";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const [first, cases] = [Number(values.seed), Number(values.cases)];
const TOLD_EVERY = 100;

let [failed, workers, conflicts, applied] = [0, 0, 0, 0];
for (let seed = first; seed < first + cases; seed++) {
  try {
    const done = await editCase(seed);
    workers += done.workers;
    conflicts += done.conflicts;
    applied += done.applied ? 1 : 0;
  } catch (error) {
    failed += 1;
    console.log(`FAILED seed ${seed}: ${messageOf(error)}`);
  }
  if ((seed - first + 1) % TOLD_EVERY === 0)
    console.log(`${seed - first + 1} cases, ${failed} failed`);
}
console.log(
  `${failed === 0 ? "PASS" : "FAIL"}: ${cases} cases, ${workers} workers, ${conflicts} conflicts, ${applied} applied and reverted, ${failed} failed`,
);
process.exit(failed === 0 ? 0 : 1);
