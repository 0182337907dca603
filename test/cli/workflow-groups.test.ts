/** Groups inside groups, large ones, and what ends a group as a whole. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { provider, workflowHome } from "../support/workflow.ts";

/** Answers once four agents are at work at the same time. */
const BARRIER = [
  'mkdir "$HOME/at-work-$PALLIUM_WORKFLOW_AGENT_ID"',
  'while [ "$(ls -d "$HOME"/at-work-* | wc -l)" -lt 4 ]; do sleep 0.02; done; echo met',
].join("; ");

describe("a group inside a group", () => {
  const inner = `parallel([1, 2], async (n) => (await agent(item + n)) + "!")`;
  test.each([
    ["a pipeline stage", `await pipeline(["a", "b"], (item) => ${inner})`],
    ["a parallel callback", `await parallel(["a", "b"], (item) => ${inner})`],
    ["a thunk", `await parallel(["a", "b"].map((item) => async () => await ${inner}))`],
  ])(
    "in %s holds up no other item, and hands out real answers (E2, E4)",
    async (_where, source) => {
      await using home = await workflowHome();
      const { result } = await home.script(`return ${source};`, {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", BARRIER) },
        flags: ["--agent-timeout", "20"],
      });
      expect(result).toEqual([
        ["met!", "met!"],
        ["met!", "met!"],
      ]);
    },
  );
});

describe("what ends the run is no dropped item (E5)", () => {
  const budget = ["--max-budget-usd", "0.015"];
  const cap = ["--max-agents", "1"];
  test.each([
    [
      "the budget in a pipeline",
      `pipeline(["a"], () => agent("over"))`,
      budget,
      "budget_exhausted",
    ],
    ["the budget in parallel", `parallel(["a"], () => agent("over"))`, budget, "budget_exhausted"],
    ["the cap in a pipeline", `pipeline(["a"], async () => await agent("x"))`, cap, "max_agents"],
    ["the cap in parallel", `parallel([() => agent("over")])`, cap, "max_agents"],
    [
      "the cap two groups deep",
      `pipeline(["a"], () => parallel([1], () => agent("over")))`,
      cap,
      "max_agents",
    ],
  ])("%s", async (_what, group, flags, code) => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(
      `await agent("first");
       try { await agent("caught"); } catch {}
       return await ${group};`,
      { stub: "fine", flags },
    );
    expect(snapshot.run.error_code).toBe(code);
    expect(snapshot.run.status).toBe("completed_with_failures");
    expect(snapshot.run.failures).toBeUndefined();
    expect(snapshot.agents).toHaveLength(1);
    expect(exitCode).toBe(1);
  });

  test("a pause in a pipeline", async () => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await pipeline(["a"], () => agent("x"));`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", 'touch "$HOME/ready"; sleep 300'),
    });
    await fileAppears(join(home.directory, "ready"));
    await home.pallium(["workflow", "pause", "wf-test"]);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.failures).toBeUndefined();
    expect(run).toMatchObject({ status: "paused", error: "workflow paused" });
  });
});

test("more than a thousand calls in a callback and a thousand stages stay apart (S9)", async () => {
  await using home = await workflowHome();
  const source = `
    const calls = await pipeline(["a"], () =>
      Promise.all(Array.from({ length: 1001 }, () => agent("same"))));
    const stages = Array.from({ length: 1001 }, () => () => agent("same"));
    const [last] = await pipeline(["a"], ...stages);
    return [calls[0].length, last];`;
  const flags = ["--max-agents", "2002"];
  const first = await home.script(source, { stub: "first", flags });
  expect(first.result).toEqual([1001, "first"]);
  const indices = first.snapshot.agents.map(({ call_index }) => call_index);
  expect(new Set(indices)).toEqual(new Set(Array.from({ length: 2002 }, (_, index) => index + 1)));
  const again = await home.script(source, { stub: "second" });
  expect(again.result).toEqual([1001, "first"]);
  expect(again.snapshot.agents).toHaveLength(2002);
});

test("an item that fails without a word is told all the same", async () => {
  await using home = await workflowHome();
  const { snapshot } = await home.script(
    `await parallel([1], () => { throw ""; }); await pipeline([1], () => { throw " "; });`,
  );
  expect(snapshot.run.failures?.map(({ error }) => error)).toEqual([
    "item failed with no error message captured",
    "item failed with no error message captured",
  ]);
});
