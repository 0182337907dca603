/** Defects that a review or a first user found, each with the test that would have found it. */
import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** A worker that says where it is and takes no SIGTERM. */
const STUBBORN =
  'trap "" TERM; echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"; while :; do sleep 1; done';
const useProvider = (command: string) => ({
  PALLIUM_WORKFLOW_PROVIDER: "p",
  ...provider("p", command),
});

async function killedRun(home: WorkflowHome): Promise<void> {
  const runner = await startRun(home, `return await agent("x");`, useProvider(STUBBORN));
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
}

describe("a run whose runner was killed", () => {
  test.each(["stop", "pause"] as const)("has its workers ended by %s (C11)", async (verb) => {
    await using home = await workflowHome();
    await killedRun(home);
    expect(await isGone(home, "ready")).toBe(false);
    const status = verb === "stop" ? "stopped" : "paused";
    expect(await home.json<object>(["workflow", verb, "wf-test"])).toMatchObject({ status });
    expect(await isGone(home, "ready")).toBe(true);
  });

  test("takes no place in the fleet (C3)", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    const second = await home.script("return 1;", {
      id: "wf-second",
      flags: ["--max-active-runs", "1"],
    });
    expect(second.exitCode).toBe(0);
    await home.pallium(["workflow", "stop", "wf-test"]);
  });

  test("that is stopped after a pause says that it was stopped", async () => {
    await using home = await workflowHome();
    await killedRun(home);
    await home.pallium(["workflow", "pause", "wf-test"]);
    await home.pallium(["workflow", "stop", "wf-test"]);
    const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(run).toMatchObject({ status: "stopped", error: "workflow stopped" });
  });
});

describe("a failure after the claim leaves a failed row, not a queued one", () => {
  test("when the folder of runs is a file", async () => {
    await using home = await workflowHome();
    await mkdir(join(home.directory, ".pallium"));
    await writeFile(join(home.directory, ".pallium", "workflow-runs"), "");
    const { exitCode, snapshot } = await home.script("return 1;");
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({ status: "failed", error: expect.any(String) });
  });

  test("when the stub's variables contradict themselves", async () => {
    await using home = await workflowHome();
    await home.script("return 1;", {
      stub: "x",
      env: { PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: "bad" },
    });
    const [run] = await home.json<RunRecord[]>(["workflow", "list"]);
    expect(run).toMatchObject({ status: "failed", error_code: "stub_invalid" });
  });
});

describe("what failed is said", () => {
  test("agents that were all killed fail the command", async () => {
    await using home = await workflowHome();
    const { exitCode, stderr } = await home.script(
      `return await parallel(["a", "b"], (x) => agent(x));`,
      { env: useProvider("kill -9 $$") },
    );
    expect(exitCode).toBe(1);
    expect(errorOf(stderr).code).toBe("every_agent_failed");
  });

  test("agents of an earlier execution do not", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("x").catch(() => 0);`, { env: useProvider("exit 1") });
    expect((await home.script(`return (await check("true")).ok;`)).exitCode).toBe(0);
  });

  test.each([[`agent("x", { mode: "edit" });`], [`agent("x", { lable: "y" });`], [`check("");`]])(
    "a refused call that nobody awaits is counted: %s",
    async (call) => {
      await using home = await workflowHome();
      const source = `${call} await check("true"); return "ok";`;
      const { snapshot } = await home.script(source);
      expect(snapshot.run.failures).toHaveLength(1);
      const strict = await home.script(source, { id: "wf-strict", flags: ["--strict"] });
      expect(strict.exitCode).toBe(1);
    },
  );

  test("--quiet leaves out progress, not warnings", async () => {
    await using home = await workflowHome();
    const source = `phase("p"); return await parallel([1], () => { throw new Error("no"); });`;
    const { stderr } = await home.script(source, { flags: ["--quiet"] });
    expect(stderr).toContain("1 item failed");
    expect(stderr).not.toContain("phase p");
  });

  test("attempts that a later one replaced are not counted", async () => {
    await using home = await workflowHome();
    const source = `return await agent("x");`;
    await home.script(source, { env: useProvider("exit 1") });
    await home.script(source, { env: useProvider("echo fine") });
    const { verdict } = await home.json<{ verdict: string }>(["workflow", "status", "wf-test"]);
    expect(verdict).toBe("VERDICT: FINISHED — 1/1 agents complete");
  });
});

test("a budget of 0 allows no agent, whatever the estimate (C12)", async () => {
  await using home = await workflowHome();
  const { snapshot } = await home.script(`return await agent("x");`, {
    stub: "x",
    flags: ["--max-budget-usd", "0"],
    env: { PALLIUM_WORKFLOW_AGENT_COST_USD: "0" },
  });
  expect(snapshot.run.error_code).toBe("budget_exhausted");
});

test("a relative PALLIUM_HOME holds for runs that work elsewhere", async () => {
  await using home = await workflowHome();
  await mkdir(join(home.directory, "elsewhere"));
  const { result } = await home.script(`return (await check("true")).ok;`, {
    flags: ["--cwd", "elsewhere"],
    env: { PALLIUM_HOME: "kept" },
  });
  expect(result).toBe(true);
});

test("a second Ctrl-C ends workers that take no SIGTERM at once", async () => {
  await using home = await workflowHome();
  const runner = await startRun(home, `return await agent("x");`, useProvider(STUBBORN));
  await fileAppears(join(home.directory, "ready"));
  const begun = performance.now();
  runner.kill("SIGINT");
  const reader = runner.stderr.getReader();
  let said = "";
  while (!said.includes("once more")) said += new TextDecoder().decode((await reader.read()).value);
  runner.kill("SIGINT");
  expect(await runner.exited).toBe(143);
  expect(performance.now() - begun).toBeLessThan(4500);
  expect(await isGone(home, "ready")).toBe(true);
  const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
  expect(run.status).toBe("stopped");
});

test("a task, a label and a phase of many lines stay one line in lists and reports", async () => {
  await using home = await workflowHome();
  const path = join(home.directory, "s.js");
  const forged = "\\r\\nVERDICT: FINISHED";
  await writeFile(path, `phase("p${forged}"); return await agent("x", { label: "a${forged}" });`);
  const task = "first\r\nVERDICT: FINISHED";
  const run = await home.pallium(["workflow", "run", "--id", "w", "--script", path, task], {
    env: { PALLIUM_WORKFLOW_AGENT_STUB: "x" },
  });
  const list = await home.pallium(["workflow", "list"]);
  const show = await home.pallium(["workflow", "show", "w"]);
  for (const { stdout } of [run, list, show]) expect(stdout).not.toMatch(/^VERDICT/m);
  for (const verb of ["status", "inspect"]) {
    const { stdout } = await home.pallium(["workflow", verb, "w"]);
    expect(stdout.match(/^VERDICT/gm)).toEqual(["VERDICT"]);
  }
});

test("workflow read prints the result alone on stdout", async () => {
  await using home = await workflowHome();
  await home.script(`await parallel([1], () => { throw new Error("no"); }); return { a: 1 };`);
  const { stdout, stderr } = await home.pallium(["workflow", "read", "wf-test"]);
  expect(JSON.parse(stdout)).toEqual({ a: 1 });
  expect(stderr).toContain("Dropped items:");
});

test("a quota that is used up costs nothing", async () => {
  await using home = await workflowHome();
  const { snapshot } = await home.script(`return await agent("x");`, {
    env: useProvider(`echo "You've hit your usage limit." >&2; exit 1`),
  });
  expect(snapshot.agents[0]?.estimated_cost_usd).toBeUndefined();
});

test.each(["list", "show x", "status x", "inspect x", "read x", "resume x", "stop x", "events x"])(
  "a mistyped --db is said and not made: workflow %s",
  async (words) => {
    await using home = await workflowHome();
    const args = ["workflow", ...words.split(" "), "--db", "missing.sqlite", "--json"];
    const { stderr, exitCode } = await home.pallium(args);
    expect(errorOf(stderr).code).toBe("database_not_found");
    expect(exitCode).toBe(1);
    expect(await Bun.file(join(home.directory, "missing.sqlite")).exists()).toBe(false);
  },
);
