/** `bun scripts/labs/flood.ts`: floods a run in four ways, prints the memory of its runner and the counts. */
import {
  type FloodReport,
  floodOfAgents,
  floodOfItems,
  floodOfLogLines,
  floodOfOutput,
} from "../../test/support/labs/flood.ts";

const FLOODS: Readonly<Record<string, () => Promise<FloodReport>>> = {
  "4,096 items in one parallel": () => floodOfItems(4096),
  "10,000 log lines a second for 30 s": () => floodOfLogLines(30),
  "200 MB of provider output": () => floodOfOutput(200_000_000),
  "1,000 agents": () => floodOfAgents(1000),
};

let passed = true;
for (const [name, flood] of Object.entries(FLOODS)) {
  const { peakMegabytes, counted, violations } = await flood();
  console.log(`${name}: peak memory ${peakMegabytes} MB; ${counted}`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  passed &&= violations.length === 0;
}
console.log(passed ? "PASS" : "FAIL");
process.exit(passed ? 0 : 1);
