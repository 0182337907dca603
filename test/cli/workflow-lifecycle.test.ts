/** The life of a run: resume, caps, timeouts, stop, signals, and what the row says of each. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const LEDGER =
  'echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"; echo "answer $PALLIUM_WORKFLOW_LABEL"';
const USE_LEDGER = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", LEDGER) };

async function ledger(home: WorkflowHome): Promise<string[]> {
  return (await readFile(join(home.directory, "ledger"), "utf8")).trim().split("\n");
}

/** An agent that says where it is, starts a grandchild, and takes no SIGTERM. */
const STUBBORN = [
  'trap "" TERM',
  'sleep 300 & echo "$!" > "$HOME/grandchild"',
  'echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"',
  "while :; do sleep 1; done",
].join("; ");

describe("resume", () => {
  test("pays for no finished call again, from resume and from run --id", async () => {
    await using home = await workflowHome();
    const source = `const a = await agent("one", { label: "a" });
      const rest = await parallel(["b", "c"], (x) => agent("do " + x, { label: x }));
      return [a, ...rest];`;
    const first = await home.script(source, { env: USE_LEDGER });
    const again = await home.pallium(["workflow", "resume", "wf-test", "--json"], {
      env: USE_LEDGER,
    });
    const snapshot = JSON.parse(again.stdout) as Snapshot;
    expect(again.exitCode).toBe(0);
    expect(snapshot.run.result).toBe(first.snapshot.run.result as string);
    expect(snapshot.agents).toHaveLength(3);
    expect((await ledger(home)).sort()).toEqual(["a", "b", "c"]);
  });

  test("runs only what failed", async () => {
    await using home = await workflowHome();
    const source = `return await parallel(["a", "b"], (x) => agent("do " + x, { label: x }));`;
    const broken = provider("p", `case "$PALLIUM_WORKFLOW_LABEL" in b) exit 3;; esac; ${LEDGER}`);
    await home.script(source, { env: { ...USE_LEDGER, ...broken } });
    const { result } = await home.script(source, { env: USE_LEDGER });
    expect(result).toEqual(["answer a", "answer b"]);
    expect(await ledger(home)).toEqual(["a", "b"]);
  });

  test("says that the script changed and replays what did not (40)", async () => {
    await using home = await workflowHome();
    await home.script(`phase("p"); await agent("one"); return 1;`, { stub: "x" });
    const { stderr, snapshot } = await home.script(`phase("p"); await agent("one"); return 2;`, {
      stub: "y",
    });
    expect(stderr).toContain(
      "script changed since original run; unchanged prefix will replay from cache",
    );
    expect(snapshot.run).toMatchObject({ script_changed: true, result: "2" });
    expect(snapshot.agents).toMatchObject([{ output: "x" }]);
    expect(snapshot.phases).toMatchObject([{ agent_count: 1 }]);
  });

  test.each([
    ["args", ["--args", '{"n":2}'], `return await agent("one");`],
    ["model", [], `return await agent("one", { model: "other" });`],
    ["schema", [], `return await agent("one", { schema: { type: "array" } });`],
  ])("runs again when the %s changed (40)", async (_name, flags, source) => {
    await using home = await workflowHome();
    await home.script(`return await agent("one");`, { stub: "[1]" });
    const { snapshot } = await home.script(source, { stub: "[2]", flags });
    expect(snapshot.agents.map(({ output }) => output)).toEqual(["[1]", "[2]"]);
  });

  test("knows equal calls apart (41)", async () => {
    await using home = await workflowHome();
    const source = `return [await agent("same"), await agent("same")];`;
    const { snapshot } = await home.script(source, { stub: "x" });
    expect(snapshot.agents.map(({ call_index }) => call_index)).toEqual([1, 2]);
    expect((await home.script(source, { stub: "y" })).snapshot.agents).toHaveLength(2);
  });

  test("keeps caps, timeout and budget unless told otherwise (34)", async () => {
    await using home = await workflowHome();
    const flags = ["--agent-timeout", "1", "--max-agents", "5", "--max-budget-usd", "3"];
    await home.script("return 1;", { flags });
    await home.pallium(["workflow", "resume", "wf-test"]);
    const stored = async () =>
      (await home.json<Snapshot>(["workflow", "show", "wf-test"])).run satisfies RunRecord;
    expect(await stored()).toMatchObject({
      agent_timeout_seconds: 1,
      agent_timeout_explicit: true,
      max_agents: 5,
      max_budget_usd: "3",
    });
    await home.pallium(["workflow", "resume", "wf-test", "--agent-timeout", "30"]);
    expect(await stored()).toMatchObject({ agent_timeout_seconds: 30 });
    await home.pallium(["workflow", "resume", "wf-test", "--agent-timeout", "0"]);
    await home.pallium(["workflow", "resume", "wf-test"]);
    const { agent_timeout_seconds, agent_timeout_explicit } = await stored();
    expect([agent_timeout_seconds, agent_timeout_explicit]).toEqual([undefined, true]);
  });

  test("keeps the cap over the life of the run (25)", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("one");`, { stub: "x", flags: ["--max-agents", "1"] });
    const { snapshot } = await home.script(`await agent("one"); return await agent("two");`, {
      stub: "x",
    });
    expect(snapshot.run.error).toContain("workflow exceeded max agents: 1");
  });
});

describe("a timeout", () => {
  test("drops the item, with the contract's text (33)", async () => {
    await using home = await workflowHome();
    const command = `case "$PALLIUM_WORKFLOW_PROMPT" in slow) sleep 60;; esac; echo fine`;
    const { result, snapshot } = await home.script(
      `return await parallel(["slow", "quick"], (x) => agent(x));`,
      {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
        flags: ["--agent-timeout", "1"],
      },
    );
    expect(result).toEqual([null, "fine"]);
    expect(snapshot.agents[0]).toMatchObject({
      status: "failed",
      outcome: "timeout",
      error: expect.stringContaining("workflow agent timed out after 1s"),
    });
  });

  test("of one direct call fails the run (33)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("slow", { timeout_seconds: 1 });`, {
      env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "sleep 60") },
    });
    expect(snapshot.run).toMatchObject({
      status: "failed",
      error: expect.stringContaining("workflow agent timed out after 1s"),
    });
  });

  test("holds for stubs too", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`return await agent("x", { timeoutSeconds: 1 });`, {
      stub: "late",
      env: { PALLIUM_WORKFLOW_AGENT_STUB_DELAY_MS: "60000" },
    });
    expect(snapshot.agents[0]).toMatchObject({ outcome: "timeout" });
  });
});

describe("ending a run from outside", () => {
  const env = {
    PALLIUM_WORKFLOW_PROVIDER: "p",
    ...provider("p", STUBBORN.replace('trap "" TERM; ', "")),
  };

  test.each(["stop", "pause"] as const)(
    "workflow %s ends its processes and leaves a true row",
    async (verb) => {
      await using home = await workflowHome();
      const runner = await startRun(home, `return await agent("one");`, env);
      await fileAppears(join(home.directory, "ready"));
      const status = verb === "stop" ? "stopped" : "paused";
      const asked = await home.json<object>(["workflow", verb, "wf-test"]);
      expect(asked).toEqual({ id: "wf-test", status, unchanged: false });
      expect(await runner.exited).toBe(1);
      const snapshot = JSON.parse(await runner.stdout.text()) as Snapshot;
      expect(snapshot.run).toMatchObject({ status, error: `workflow ${status}` });
      expect(snapshot.agents).toMatchObject([{ status, outcome: "cancelled" }]);
      expect(snapshot.run.failures).toBeUndefined();
      expect(await isGone(home, "ready")).toBe(true);
      expect(await isGone(home, "grandchild")).toBe(true);
    },
  );

  test.each([
    ["SIGINT", 130, "paused"],
    ["SIGTERM", 143, "stopped"],
  ] as const)("%s exits %i, the run is %s", async (signal, exitCode, status) => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("one");`, env);
    await fileAppears(join(home.directory, "ready"));
    runner.kill(signal);
    expect(await runner.exited).toBe(exitCode);
    expect(JSON.parse(await runner.stdout.text()).run.status).toBe(status);
    expect(await isGone(home, "ready")).toBe(true);
    expect(await isGone(home, "grandchild")).toBe(true);
  });

  test("stops a script that is busy (C7)", async () => {
    await using home = await workflowHome();
    const runner = await startRun(home, `await agent("one"); while (true) {}`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", 'echo fine; touch "$HOME/ready"'),
    });
    await fileAppears(join(home.directory, "ready"));
    await home.pallium(["workflow", "stop", "wf-test"]);
    expect(await runner.exited).toBe(1);
    const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(run.status).toBe("stopped");
  });

  test("leaves a finished run as it is (42, C11)", async () => {
    await using home = await workflowHome();
    await home.script(`return "done";`);
    const asked = await home.json<object>(["workflow", "stop", "wf-test"]);
    expect(asked).toEqual({ id: "wf-test", status: "completed", unchanged: true });
    const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(run).toMatchObject({ status: "completed", result: "done" });
  });

  test("a second process on the same run is refused with the owner named (C1)", async () => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("one");`, env);
    await fileAppears(join(home.directory, "ready"));
    for (const args of [
      ["resume", "wf-test"],
      ["run", "--id", "wf-test", "again"],
    ]) {
      const second = await home.pallium(["workflow", ...args, "--json"]);
      expect(second.exitCode).toBe(1);
      expect(errorOf(second.stderr)).toMatchObject({
        code: "run_owned",
        message: expect.stringContaining(`process ${runner.pid}`),
      });
    }
    runner.kill("SIGTERM");
    expect(await runner.exited).toBe(143);
  });
});

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

describe("the store", () => {
  test("is where PALLIUM_TEST_DB says, unless --db says otherwise (76)", async () => {
    await using home = await workflowHome();
    const redirected = join(home.directory, "other.sqlite");
    const explicit = join(home.directory, "explicit.sqlite");
    const env = { PALLIUM_TEST_DB: redirected };
    const first = await home.script("return 1;", { env });
    expect(first.stderr).toContain(`PALLIUM_TEST_DB is set: using ${redirected}`);
    expect(existsSync(redirected)).toBe(true);
    expect(existsSync(join(home.directory, ".pallium", "pallium.sqlite"))).toBe(false);
    const second = await home.script("return 1;", { env, flags: ["--db", explicit] });
    expect(second.stderr).not.toContain("PALLIUM_TEST_DB");
    expect(existsSync(explicit)).toBe(true);
  });

  test("and its files are the user's alone; nothing is written to the repository (75, X6)", async () => {
    await using home = await workflowHome();
    await home.script(`return (await check("true")).ok;`);
    const listing = await home.pallium(["workflow", "read", "wf-test"]);
    expect(listing.stdout.trim()).toBe("true");
    const find = Bun.spawnSync(["find", join(home.directory, ".pallium"), "-perm", "/077"]);
    expect(find.stdout.toString()).toBe("");
  });
});
