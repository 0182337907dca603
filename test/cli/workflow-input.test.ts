/** What users type that cannot be done: one code, one exit status, nothing on stdout. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { RunRecord } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

describe("bad input of the command", () => {
  test.each([
    [["run", "--id", "a..b", "task"], "invalid_id", 2],
    [["run", "--id", "no spaces", "task"], "invalid_id", 2],
    [["run"], "usage", 2],
    [["run", "--args", "{", "task"], "usage", 2],
    [["run", "--max-budget-usd", "abc", "task"], "usage", 2],
    [["run", "--max-budget-usd", "-1", "task"], "usage", 2],
    [["run", "--script", "a.js", "--workflow", "b"], "usage", 2],
    [["run", "--script", "missing.js"], "script_not_found", 1],
    [["run", "--workflow", "missing"], "workflow_not_found", 1],
    [["run", "--workflow", "../missing"], "invalid_id", 2],
    [["run", "--cwd", "missing", "task"], "cwd_not_found", 2],
    [["show", "unknown"], "run_not_found", 1],
    [["status", "unknown"], "run_not_found", 1],
    [["inspect", "unknown"], "run_not_found", 1],
    [["read", "unknown"], "run_not_found", 1],
    [["resume", "unknown"], "run_not_found", 1],
    [["stop", "unknown"], "run_not_found", 1],
    [["show"], "usage", 2],
    [["list", "--limit", "0"], "usage", 2],
  ] as const)("%p is %s, exit %i", async (args, code, exitCode) => {
    await using home = await workflowHome();
    const outcome = await home.pallium(["workflow", ...args, "--json"]);
    expect(outcome.stdout).toBe("");
    expect(errorOf(outcome.stderr)).toMatchObject({ code, message: expect.any(String) });
    expect(outcome.exitCode).toBe(exitCode);
  });

  test("a budget of 0 allows no paid agent", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x");`, {
      stub: "x",
      flags: ["--max-budget-usd", "0"],
    });
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: "budget_exhausted" });
    expect(snapshot.agents).toEqual([]);
  });

  test("a run started by a worker is refused", async () => {
    await using home = await workflowHome();
    const inside = await home.script("return 1;", { env: { PALLIUM_WORKFLOW_DEPTH: "1" } });
    expect(errorOf(inside.stderr).code).toBe("workflow_depth");
    const allowed = await home.script("return 1;", {
      env: { PALLIUM_WORKFLOW_DEPTH: "1" },
      flags: ["--max-depth", "2"],
    });
    expect(allowed.exitCode).toBe(0);
  });

  test.each([
    ["bad arguments", ["--args", "{"]],
    ["a bad budget", ["--max-budget-usd", "much"]],
    ["a full fleet", ["--max-active-runs", "1"]],
  ])("%s leave no row behind (C3)", async (_what, flags) => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("x");`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", 'touch "$HOME/ready"; sleep 300'),
    });
    await fileAppears(join(home.directory, "ready"));
    const refused = await home.script("return 1;", { id: "wf-refused", flags });
    expect(refused.exitCode).toBeGreaterThan(0);
    const list = await home.json<RunRecord[]>(["workflow", "list"]);
    expect(list.map(({ id }) => id)).toEqual(["wf-test"]);
    // A paused run takes no room.
    await home.pallium(["workflow", "pause", "wf-test"]);
    await runner.exited;
    const next = await home.script("return 1;", { id: "n", flags: ["--max-active-runs", "1"] });
    expect(next.exitCode).toBe(0);
  });
});
