/** Two processes resume one run at the same moment. */
import { expect, test } from "bun:test";
import { completed, labRun } from "../support/labs/lab-run.ts";
import { TEN_CALLS } from "../support/labs/scripts.ts";
import { errorOf, workflowHome } from "../support/workflow.ts";

const ROUNDS = 6;

test("of two resumes one executes and the other is refused, whoever comes first (C1)", async () => {
  const refusals: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using home = await workflowHome();
    const run = await labRun(home, `race-${process.pid}-${round}`, TEN_CALLS);
    const killed = run.start();
    while (!run.isClaimed()) await new Promise(setImmediate);
    killed.kill("SIGKILL");
    await killed.exited;
    const failures = (await Promise.all([completed(run.start()), completed(run.start())])).flat();
    expect(failures.length).toBeLessThan(2);
    refusals.push(...failures.map((failure) => errorOf(failure).code));
    expect(run.violations()).toEqual([]);
  }
  expect(new Set(refusals)).toEqual(new Set(["run_owned"]));
});
