/** The whole verdict on a checkout: every check and test, then the build and its smoke test. */
import { join } from "node:path";
import { runBunTests } from "./setup/bun-tests.mjs";
import { runChecks, setUp } from "./setup/check-run.mjs";
import { runMain } from "./setup/problem.mjs";
import { ROOT } from "./setup/root.mjs";
import { commandCheck, runStep, sum, totalLine } from "./setup/run-step.mjs";

const EXECUTABLE = join(ROOT, "dist", "pallium");

await runMain(async () => {
  const started = performance.now();
  const bun = setUp();
  let total = await runChecks(bun);
  const build = await runStep("build", () =>
    commandCheck(process.execPath, [join(ROOT, "scripts", "build.mjs")], { cwd: ROOT }),
  );
  total = sum(total, build);
  if (build.failed === 0) {
    const env = { ...process.env, PALLIUM_TEST_EXECUTABLE: EXECUTABLE };
    const smoke = await runStep("the built executable", () =>
      runBunTests(bun, ["test/e2e/compiled.test.ts"], { cwd: ROOT, env }),
    );
    total = sum(total, smoke);
  }
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s in all`);
  console.log(totalLine(total));
  return total.failed === 0 ? 0 : 1;
});
