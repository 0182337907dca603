/** What runs may spend: dollars, tokens, agents; what calls are charged. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { shellProgram } from "../support/provider-fixtures.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const TWO = `await agent("one"); await agent("two"); return "done";`;

/** A provider that leaves a line in `calls` and this usage. */
function usage(report: object, answer = "ok"): Record<string, string> {
  const command = `echo x >> "$HOME/calls"
    echo '${JSON.stringify(report)}' > "$PALLIUM_WORKFLOW_USAGE_FILE"; echo '${answer}'`;
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

async function callCount(home: WorkflowHome): Promise<number> {
  return (await readFile(join(home.directory, "calls"), "utf8")).trim().split("\n").length;
}

describe("a budget of", () => {
  test("agents ends the run at the one too many, resumes included (oracle 25)", async () => {
    await using home = await workflowHome();
    const flags = ["--max-agents", "1"];
    const { snapshot } = await home.script(TWO, { stub: "x", flags });
    expect(snapshot.run.error).toContain("workflow exceeded max agents: 1");
    const again = await home.json<Snapshot>(["workflow", "resume", "wf-test"], {
      PALLIUM_WORKFLOW_AGENT_STUB: "x",
    });
    expect(again.run.error).toContain("workflow exceeded max agents: 1");
    expect(again.agents).toHaveLength(1);
  });

  test("dollars counts estimates before they are spent, resumes included (oracle 26)", async () => {
    await using home = await workflowHome();
    const flags = ["--max-budget-usd", "0.015"];
    const { snapshot } = await home.script(TWO, { stub: "x", flags });
    expect(snapshot.run.error).toContain("workflow budget exhausted");
    expect(snapshot.agents).toMatchObject([
      { estimated_cost_usd: 0.01, cost_source: "estimated", status: "completed" },
    ]);
    const enough = await home.script(TWO, {
      id: "wf-enough",
      stub: "x",
      flags: ["--max-budget-usd", "0.02"],
    });
    expect(enough.snapshot.run.status).toBe("completed");
    const stub = { PALLIUM_WORKFLOW_AGENT_STUB: "x" };
    const same = await home.json<Snapshot>(["workflow", "resume", "wf-test"], stub);
    expect(same.run.error_code).toBe("budget_exhausted");
    const more = ["workflow", "resume", "wf-test", "--max-budget-usd", "0.02"];
    expect((await home.json<Snapshot>(more, stub)).run.status).toBe("completed");
  });

  test("dollars is what scripts read (oracle 27)", async () => {
    await using home = await workflowHome();
    const script = `const before = { total: budget.total, spent: budget.spent(), left: budget.remaining() };
      await agent("x");
      return [before, { total: budget.total, spent: budget.spent(), left: budget.remaining() }];`;
    const options = { stub: "x", env: { PALLIUM_WORKFLOW_AGENT_COST_USD: "0.25" } };
    const { result } = await home.script(script, { ...options, flags: ["--max-budget-usd", "1"] });
    expect(result).toEqual([
      { total: 1, spent: 0, left: 1 },
      { total: 1, spent: 0.25, left: 0.75 },
    ]);
    const unlimited = await home.script(script, { ...options, id: "wf-free" });
    expect(unlimited.result).toMatchObject([
      { total: null, spent: 0 },
      { total: null, spent: 0.25 },
    ]);
  });

  test("dollars keeps the call that overshoots and refuses the next, caught or not (oracle 28)", async () => {
    await using home = await workflowHome();
    const { snapshot, result } = await home.script(
      `const one = await agent("one");
       let refused = "";
       try { await agent("two"); } catch (error) { refused = error.code; }
       return { one, refused };`,
      { env: usage({ cost_usd: 5 }), flags: ["--max-budget-usd", "1"] },
    );
    expect(result).toEqual({ one: "ok", refused: "budget_exhausted" });
    expect(snapshot.agents).toMatchObject([
      {
        outcome: "ok",
        estimated_cost_usd: 5,
        cost_source: "reported",
        usage_json: '{"cost_usd":5}',
      },
    ]);
    expect(await callCount(home)).toBe(1);
    const uncaught = await home.script(TWO, {
      id: "wf-uncaught",
      env: usage({ cost_usd: 0.25 }),
      flags: ["--max-budget-usd", "0.20"],
    });
    expect(uncaught.snapshot.run).toMatchObject({
      status: "completed_with_failures",
      error: expect.stringContaining("budget exhausted"),
    });
    expect(uncaught.snapshot.agents).toMatchObject([{ outcome: "ok", estimated_cost_usd: 0.25 }]);
  });

  test("dollars is overshot by what is at work and no more (C12)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `return await parallel(Array.from({ length: 8 }, (_, i) => i), (i) => agent("x" + i));`,
      {
        env: usage({ cost_usd: 0.5 }),
        flags: ["--max-budget-usd", "0.6", "--max-concurrent-agents", "2"],
      },
    );
    expect(snapshot.run.error_code).toBe("budget_exhausted");
    const spent = snapshot.agents.map(({ estimated_cost_usd }) => estimated_cost_usd);
    expect(spent.length).toBeLessThanOrEqual(3);
    expect(spent).toEqual(Array(await callCount(home)).fill(0.5));
  });

  test("dollars counts what codex used, by its tokens (C12)", async () => {
    await using home = await workflowHome();
    const codex = shellProgram(
      join(home.directory, "codex"),
      'echo x >> "$HOME/calls"; while [ "$1" != --output-last-message ]; do shift; done; echo ok > "$2"',
      `echo '{"type":"turn.completed","usage":{"input_tokens":1000,"output_tokens":100}}'`,
    );
    const { snapshot } = await home.script(
      `await agent("one", { model: "m" }); return await agent("two", { model: "m" });`,
      {
        env: { PALLIUM_WORKFLOW_PRICES: '{"m":{"input":100,"output":1000}}' },
        flags: ["--codex", codex, "--max-budget-usd", "0.2"],
      },
    );
    expect(snapshot.run.error_code).toBe("budget_exhausted");
    expect(snapshot.agents).toMatchObject([
      { provider: "codex", estimated_cost_usd: 0.2, cost_source: "priced" },
    ]);
    expect(await callCount(home)).toBe(1);
  });

  test("dollars counts both attempts at an answer (oracle 29)", async () => {
    await using home = await workflowHome();
    const report = { cost_usd: 0.1, input_tokens: 100, output_tokens: 50 };
    const { snapshot } = await home.script(
      `return await agent("x", { schema: { type: "object" } });`,
      {
        env: usage(report, "no json"),
      },
    );
    expect(snapshot.agents).toMatchObject([
      {
        estimated_cost_usd: 0.2,
        input_tokens: 200,
        output_tokens: 100,
        attempts: 2,
        usage_json: '{"cost_usd":0.2,"input_tokens":200,"output_tokens":100}',
      },
    ]);
  });

  test("dollars that is used up pays for no correction (oracle 30)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `return await agent("x", { schema: { type: "object" } });`,
      {
        env: usage({ cost_usd: 2 }, "no json"),
        flags: ["--max-budget-usd", "1"],
      },
    );
    expect(snapshot.run.error).toContain("budget exhausted");
    expect(await callCount(home)).toBe(1);
  });

  test("tokens refuses a call once they are used, resumes included", async () => {
    await using home = await workflowHome();
    const env = usage({ input_tokens: 60, output_tokens: 40 });
    const { snapshot, stderr } = await home.script(`${TWO}`, {
      env,
      flags: ["--max-tokens", "100"],
    });
    expect(snapshot.run).toMatchObject({
      max_tokens: 100,
      error_code: "budget_exhausted",
      error: expect.stringContaining("workflow token budget exhausted: 100 tokens used of 100"),
    });
    expect(snapshot.agents).toMatchObject([{ input_tokens: 60, output_tokens: 40 }]);
    expect(errorOf(stderr).hints.join()).toContain("--max-tokens");
    const same = await home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    expect(same.run.error_code).toBe("budget_exhausted");
    const more = ["workflow", "resume", "wf-test", "--max-tokens", "101"];
    expect((await home.json<Snapshot>(more, env)).run.status).toBe("completed");
  });

  test("no tokens allows no agent", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(TWO, { stub: "x", flags: ["--max-tokens", "0"] });
    expect(snapshot.run).toMatchObject({ max_tokens: 0, error_code: "budget_exhausted" });
    expect(snapshot.agents).toEqual([]);
  });
});

test("an answer that takes too long to be held against its schema is kept and charged", async () => {
  await using home = await workflowHome();
  const answer = JSON.stringify(Array(30).fill(`${"a".repeat(40)}!`));
  const { snapshot } = await home.script(
    `return await agent("x", { schema: { type: "array", items: { not: { pattern: "^(a+)+$" } } } });`,
    { env: usage({ cost_usd: 0.5, input_tokens: 60, output_tokens: 40 }, answer) },
  );
  expect(snapshot.run).toMatchObject({ status: "failed", error_code: "schema_timeout" });
  expect(snapshot.agents).toMatchObject([
    {
      outcome: "schema_failed",
      output: answer,
      estimated_cost_usd: 0.5,
      cost_source: "reported",
      input_tokens: 60,
      output_tokens: 40,
    },
  ]);
  expect(await callCount(home)).toBe(1);
});

describe("tokens without a cost", () => {
  const env = {
    ...usage({ input_tokens: 1000, cached_input_tokens: 400, output_tokens: 100 }),
    PALLIUM_WORKFLOW_PRICES: '{"m-1":{"input":10,"cached_input":1,"output":100}}',
  };
  test("are priced where the model is known, else the flat estimate stands", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `await agent("a", { model: "m-1-mini" }); await agent("b", { model: "other" }); return 1;`,
      { env },
    );
    expect(snapshot.agents).toMatchObject([
      { estimated_cost_usd: 0.0164, cost_source: "priced" },
      { estimated_cost_usd: 0.01, cost_source: "estimated" },
    ]);
  });
});
