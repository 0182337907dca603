/** Some of the runaways from the compiled executable, where workers start in another way. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type CompiledPallium, compiledPallium } from "../support/build.ts";
import { runningFrom } from "../support/leftovers.ts";
import { workflowHome } from "../support/workflow.ts";
import { stopped } from "./run-runaway.ts";
import { RUNAWAYS, STOPPED_WITHIN_MS } from "./runaways.ts";

const NAMES = [
  "while (true)",
  "an infinite tail recursion",
  "endless microtasks",
  "an array that grows",
  "buffers within the cap",
  "a million calls that nobody awaits",
];
describe("a runaway of the compiled program is ended within a second of its limit (C7)", () => {
  let program: CompiledPallium;
  beforeAll(async () => {
    program = await compiledPallium();
  }, 120_000);
  afterAll(() => program[Symbol.asyncDispose]());

  test.each(RUNAWAYS.filter(({ name }) => NAMES.includes(name)))(
    "$name: $code",
    async (runaway) => {
      await using home = await workflowHome();
      const { snapshot, exitCode, lateMs } = await stopped(home, runaway, [program.path]);
      expect(exitCode).toBe(1);
      expect(snapshot.run.error_code).toBe(runaway.code);
      expect(lateMs).toBeLessThan(STOPPED_WITHIN_MS);
      expect(runningFrom(home.directory)).toEqual([]);
    },
  );
});
