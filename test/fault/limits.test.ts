/** Every limit has a flag, is checked before anything runs, and stays with the run. */
import { describe, expect, test } from "bun:test";
import type { RunRecord } from "../../src/workflow/run/types.ts";
import { runningFrom } from "../support/leftovers.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

const MIB = 1024 * 1024;

function useProvider(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

describe("limits by flag", () => {
  test.each([
    ["--script-stall", "0"],
    ["--script-memory", "0"],
    ["--message-limit", "257"],
    ["--log-line-limit", "0"],
    ["--output-limit", "0"],
    ["--max-duration", "0"],
  ])("%s %s is refused before a row is written", async (flag, value) => {
    await using home = await workflowHome();
    const { stderr, exitCode } = await home.script("return 1;", { flags: [flag, value] });
    expect(errorOf(stderr)).toMatchObject({
      code: "usage",
      message: expect.stringContaining(`${flag} must be between 1 and `),
    });
    expect(exitCode).toBe(2);
    expect(await home.json<unknown[]>(["workflow", "list"])).toEqual([]);
  });

  test("--max-duration ends the run and its workers (C7)", async () => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(`await agent("x");`, {
      flags: ["--max-duration", "1"],
      env: useProvider("sleep 300"),
    });
    expect(snapshot.run).toMatchObject({
      status: "failed",
      error_code: "max_duration",
      error: "workflow exceeded max duration: 1 s",
    });
    expect(snapshot.agents).toMatchObject([{ status: "interrupted", outcome: "cancelled" }]);
    expect(exitCode).toBe(1);
    expect(runningFrom(home.directory)).toEqual([]);
  });

  test("--max-duration ends a busy script too", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script("for (;;) {}", { flags: ["--max-duration", "1"] });
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: "max_duration" });
  });

  test("--output-limit ends a worker that floods (P4)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`await agent("x");`, {
      flags: ["--output-limit", "1"],
      env: useProvider("yes flood"),
    });
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: "output_limit" });
    expect(snapshot.agents).toMatchObject([{ status: "failed", outcome: "failed" }]);
  });

  test("--message-limit bounds answers, arguments and results", async () => {
    await using home = await workflowHome();
    const script = `const big = "x".repeat(${MIB});
      const code = (call) => call.then(() => "fine", (error) => error.code);
      return [await code(agent(big)), await code(agent("x")), await code(agent("small"))];`;
    const { result } = await home.script(script, {
      flags: ["--message-limit", "1"],
      env: useProvider(
        `read -r p; if [ "$p" = x ]; then head -c ${MIB} /dev/zero | tr '\\0' y; else echo ok; fi`,
      ),
    });
    expect(result).toEqual(["message_too_large", "message_too_large", "fine"]);
  });

  test("--log-line-limit cuts with a mark", async () => {
    await using home = await workflowHome();
    const { stderr } = await home.script(`log("x".repeat(5000));`, {
      flags: ["--log-line-limit", "1"],
    });
    expect(stderr).toContain(`${"x".repeat(1024)}… (cut, 5000 characters)\n`);
    expect(stderr).not.toContain("x".repeat(1025));
  });

  test("they stay with the run until resume changes them (S10)", async () => {
    await using home = await workflowHome();
    await home.script("for (;;) {}", { flags: ["--script-stall", "1", "--script-memory", "99"] });
    const resume = async (...flags: string[]) =>
      (await home.json<{ run: RunRecord }>(["workflow", "resume", "wf-test", ...flags])).run.error;
    expect(await resume()).toContain("longer than 1 s");
    expect(await resume("--script-stall", "2")).toContain("longer than 2 s");
  });
});
