/** The whole verdict on a checkout: every check, the build, and every test on what was built. */
import { runChecks, setUp } from "./setup/check-run.mjs";
import { runMain } from "./setup/problem.mjs";
import { totalLine } from "./setup/run-step.mjs";

await runMain(async () => {
  const started = performance.now();
  const total = await runChecks(setUp());
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s in all`);
  console.log(totalLine(total));
  return total.failed === 0 ? 0 : 1;
});
