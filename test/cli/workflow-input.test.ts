/** What users type that cannot be done: one code, one exit status, nothing on stdout. */
import { describe, expect, test } from "bun:test";
import { errorOf, workflowHome } from "../support/workflow.ts";

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
    [["run", "--background", "task"], "not_in_this_version", 1],
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
});
