/** Some of the runaways from the compiled executable, where workers start in another way. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { type CompiledPallium, compiledPallium } from "../support/build.ts";
import { runningFrom } from "../support/leftovers.ts";
import { workflowHome } from "../support/workflow.ts";
import { LIMIT_FLAGS, RUNAWAYS } from "./runaways.ts";

const NAMES = [
  "while (true)",
  "an infinite tail recursion",
  "endless microtasks",
  "an array that grows",
  "buffers within the cap",
  "a million calls that nobody awaits",
];
describe("a runaway of the compiled program is ended (C7)", () => {
  let program: CompiledPallium;
  beforeAll(async () => {
    program = await compiledPallium();
  }, 120_000);
  afterAll(() => program[Symbol.asyncDispose]());

  test.each(RUNAWAYS.filter(({ name }) => NAMES.includes(name)))(
    "$name: $code",
    async ({ script, code }) => {
      await using home = await workflowHome();
      const path = join(home.directory, "script.js");
      await writeFile(path, script);
      const args = ["workflow", "run", "--script", path, "--json", ...LIMIT_FLAGS[code]];
      const child = Bun.spawn([program.path, ...args], {
        cwd: home.directory,
        env: { ...home.env, PALLIUM_WORKFLOW_AGENT_STUB: "{{PROMPT}}" },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      const { run } = JSON.parse(await child.stdout.text()) as Snapshot;
      expect(await child.exited).toBe(1);
      expect(run.error_code).toBe(code);
      expect(runningFrom(home.directory)).toEqual([]);
    },
  );
});
