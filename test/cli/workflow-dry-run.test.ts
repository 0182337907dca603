import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { PACKS, packOf } from "../../src/workflow/authoring/packs/catalogue.ts";
import { TEMPLATES, templateScript } from "../../src/workflow/authoring/templates/catalogue.ts";
import type { DryRun } from "../../src/workflow/rehearsal/dry-run.ts";
import { EXAMPLES } from "../support/examples.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
  readonly report: DryRun;
}

async function dryRun(
  home: WorkflowHome,
  script: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  await writeFile(join(home.directory, "flow.js"), script);
  const outcome = await home.pallium(["workflow", "dry-run", "flow.js", "--json", ...flags], {
    env,
  });
  if (outcome.stdout === "") throw new Error(outcome.stderr);
  const report = JSON.parse(outcome.stdout);
  expect(outputs["workflow.dry-run"].safeParse(report).error?.issues ?? []).toEqual([]);
  return { ...outcome, report };
}

const lines = ({ calls }: DryRun) =>
  calls.map(({ primitive, line, column }) => [primitive, line, column]);

describe("workflow dry-run", () => {
  test("shows phases and calls, each with its line, also where a call is the last thing of a function", async () => {
    await using home = await workflowHome();
    const { report, exitCode } = await dryRun(
      home,
      `export const meta = { name: "x", phases: ["scan", "report", "never"] };
phase("scan");
function ask(a) {
  return agent("\\nlook at " + a + "\\nand more", { label: "look", mode: "test", model: "m" });
}
const found = await pipeline(["a"], ask, (text) => agent("verify " + text));
await Promise.all([check("npm test"), (() => gate("ok"))()]);
phase("report");
const last = agent; const others = await ["x"].map((a) => last(a))[0];
await parallel(["p", "q"], agent);
return [found, others];`,
    );
    expect(exitCode).toBe(0);
    expect(report.state).toBe("completed");
    expect(report.calls[0]).toEqual({
      primitive: "agent",
      label: "look",
      phase: "scan",
      scope: "pipeline#0[0].0",
      mode: "test",
      provider: "codex",
      model: "m",
      prompt: "look at a",
      has_schema: false,
      line: 4,
      column: 10,
      state: "answered",
    });
    expect(lines(report)).toEqual([
      ["agent", 4, 10],
      ["agent", 6, 52],
      ["check", 7, 20],
      ["gate", 7, 46],
      ["agent", 9, 51],
      ["agent", 10, 7],
      ["agent", 10, 7],
    ]);
    expect(report.calls[1]?.prompt).toBe("verify dry run");
    expect(report.phases).toEqual([
      { name: "scan", declared: true, entered: true, calls: 4 },
      { name: "report", declared: true, entered: true, calls: 3 },
      { name: "never", declared: true, entered: false, calls: 0 },
    ]);
    expect(report.result).toEqual([["dry run"], "dry run"]);
    expect(report.warnings.join()).toContain('"never", which is never entered');
  });

  test("runs nothing else: no provider, no command, no edit, no gate, no record", async () => {
    await using home = await workflowHome();
    const { report, exitCode } = await dryRun(
      home,
      `await agent("a", { mode: "edit", network: true });
       await check("touch ran");
       await verify.untilGreen("touch ran");
       await gate("g", "sure?", { manual: true });
       await pallium.verify("full", { command: "touch ran" });
       await pallium.task.start("t");
       await pallium.decisions.record("t", "b");
       return (await pallium.decisions.search("t")).length;`,
      [],
      {
        PALLIUM_WORKFLOW_PROVIDER: "p",
        ...provider("p", "touch ran"),
        PALLIUM_WORKFLOW_NOTIFY: "touch ran",
      },
    );
    expect({ exitCode, state: report.state }).toEqual({ exitCode: 0, state: "completed" });
    expect(report.calls.map(({ provider: name }) => name)).toEqual([
      "p",
      ...Array.from({ length: 7 }, () => "native"),
    ]);
    expect(await readdir(home.directory)).not.toContain("ran");
    const kept = await readdir(join(home.directory, ".pallium"));
    expect(kept.filter((name) => !name.startsWith("pallium.sqlite"))).toEqual([]);
    expect(await home.json<unknown[]>(["workflow", "list"])).toEqual([]);
  });

  test("stops a loop that never ends on stub answers, and says where it is", async () => {
    await using home = await workflowHome();
    const { report, exitCode } = await dryRun(
      home,
      'await agent("first");\nfor (;;) {\n  const { done } = await agent("more?", { schema: { type: "object", properties: { done: { const: false } }, required: ["done"] } });\n  if (done) break;\n}',
      ["--max-calls", "25"],
    );
    expect({ exitCode, state: report.state }).toEqual({ exitCode: 0, state: "cut" });
    expect(report.calls).toHaveLength(25);
    expect(report.notes[0]).toStartWith("stopped after 25 calls; line 3 made 24 of them");
    const text = (await home.pallium(["workflow", "dry-run", "flow.js"])).stdout;
    expect(text).toContain("it was stopped");
    expect(text).toContain("… 800 more calls; --json has all of them");
  });

  test("says that a script without any call is busy for ever", async () => {
    await using home = await workflowHome();
    await mkdir(join(home.directory, ".pallium"));
    await writeFile(join(home.directory, ".pallium/config.json"), '{"limits":{"script_stall":1}}');
    const { report, exitCode } = await dryRun(home, "for (;;) {}");
    expect({ exitCode, error: report.error }).toEqual({ exitCode: 1, error: "script stalled" });
  });

  test("foretells what agents cost by what the like of them cost, and says what it does not know", async () => {
    await using home = await workflowHome();
    const usage = '{"input_tokens":100,"output_tokens":20,"cost_usd":0.25}';
    const env = {
      ...provider("paid", `echo '${usage}' > "$PALLIUM_WORKFLOW_USAGE_FILE"; echo hi`),
      PALLIUM_WORKFLOW_PROVIDER: "paid",
    };
    const script = `await agent("a", { label: "known" });
      await parallel([1, 2], (n) => agent("b" + n, { label: "alike " + n }));
      return agent("c", { label: "known", provider: "other" });`;
    const unknown = await dryRun(home, script, [], env);
    expect(unknown.report.forecast).toMatchObject({
      agents: 4,
      cost_usd: null,
      input_tokens: null,
    });
    await home.script('return agent("a", { label: "known" })', { env });
    const { report } = await dryRun(home, script, [], env);
    expect(report.forecast).toMatchObject({
      agents: 4,
      cost_usd: 0.75,
      agents_with_cost: 3,
      input_tokens: 300,
      output_tokens: 60,
      agents_with_tokens: 3,
    });
    expect(
      report.forecast.groups.map(({ label, basis, past_calls }) => [label, basis, past_calls]),
    ).toEqual([
      ["known", "label", 1],
      ["alike 1", "provider", 1],
      ["alike 2", "provider", 1],
      ["known", "unknown", 0],
    ]);
    const text = (await home.pallium(["workflow", "dry-run", "flow.js"], { env })).stdout;
    expect(text).toContain("Cost: about $0.75 for 3 of 4 agents");
    const tight = await dryRun(home, script, ["--max-budget-usd", "0.30"], env);
    expect(tight.exitCode).toBe(1);
    expect(tight.report.error).toContain("workflow budget exhausted");
  });

  test("fails where the script would on such answers, with the line", async () => {
    await using home = await workflowHome();
    const script = `const r = await agent("a", { schema: { type: "object", properties: { list: { type: "array" } } } });
return r.list.length;`;
    const { exitCode, stderr, report } = await dryRun(home, script);
    expect({ exitCode, state: report.state, line: report.line }).toEqual({
      exitCode: 1,
      state: "failed",
      line: 2,
    });
    expect(errorOf(stderr)).toMatchObject({ code: "dry_run_failed" });
    expect(errorOf(stderr).message).toContain("at flow.js:2");
  });

  test("tells what calls would be refused, and what no stub can be found for", async () => {
    await using home = await workflowHome();
    const { report } = await dryRun(
      home,
      `await agent("a", { lable: "x" }).catch((error) => log(error.message));
       await agent("b", { schema: { type: "nonsense" } }).catch((error) => log(error.message));
       await agent("c", { label: "odd", schema: { type: "string", pattern: "^\\\\d+$" } });
       return parallel([1], () => check(""));`,
    );
    expect(report.state).toBe("completed");
    expect(report.calls.map(({ state, note = "" }) => [state, note.split(":")[0]])).toEqual([
      ["refused", 'agent has no option "lable"; did you mean "label"?'],
      ["refused", "agent schema is invalid"],
      ["answered", "no answer that matches the schema was found"],
      ["refused", "check command is required"],
    ]);
    expect(report.calls.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(report.drops).toEqual([
      { label: "parallel item 0", error: "check command is required" },
    ]);
    expect(report.logs).toHaveLength(2);
  });

  test("keeps the budget apart from errors that only read like it (oracles 19 and 31)", async () => {
    await using home = await workflowHome();
    const dropped = await dryRun(
      home,
      'return parallel([1], () => { throw new Error("workflow budget exhausted") })',
    );
    expect(dropped.report).toMatchObject({ state: "completed", result: [null] });
    expect(dropped.report.drops[0]?.error).toContain("workflow budget exhausted");
    const thrown = await dryRun(
      home,
      'try { await check("") } catch { throw new Error("workflow budget exhausted, said the script") }',
    );
    expect(thrown.report.error).toBe("Error: workflow budget exhausted, said the script");
  });

  test("rehearses saved workflows, those that they call, and a task", async () => {
    await using home = await workflowHome();
    const saved = join(home.directory, ".pallium/workflows");
    await mkdir(saved, { recursive: true });
    await writeFile(join(saved, "inner.js"), 'phase("in");\nreturn agent("inner " + args.n);');
    await writeFile(
      join(saved, "outer.js"),
      'await agent("outer");\nreturn workflow("inner", { n: 1 });',
    );
    for (const args of [["--workflow", "outer"], ["/outer"]]) {
      const report = await home.json<DryRun>(["workflow", "dry-run", ...args]);
      expect(report.calls.map(({ workflow, line, prompt }) => [workflow, line, prompt])).toEqual([
        [undefined, 1, "outer"],
        ["inner", 2, "inner 1"],
      ]);
    }
    const task = await home.json<DryRun>(["workflow", "dry-run", "tidy", "up"]);
    expect(task).toMatchObject({ task: "tidy up", script: "default.workflow.js" });
    expect(task.calls.map(({ label }) => label)).toEqual(["planner", "verifier"]);
    const missing = await home.pallium(["workflow", "dry-run", "nothing.js", "--json"]);
    expect(errorOf(missing.stderr).code).toBe("script_not_found");
    expect((await home.pallium(["workflow", "dry-run"])).exitCode).toBe(2);
    expect((await home.pallium(["workflow", "dry-run", "x", "--max-calls", "0"])).exitCode).toBe(2);
  });

  const wish = { task: "task", testCommand: "", maxRounds: 3 };
  const scripts = [
    ...TEMPLATES.map((template) => [template.name, templateScript(template, wish)] as const),
    ...PACKS.map(({ name }) => [name, packOf(name).script] as const),
  ];
  for (const [name, script] of scripts) {
    test(`comes to the end of our ${name}, through all its phases`, async () => {
      await using home = await workflowHome();
      const { report } = await dryRun(home, script);
      expect(report).toMatchObject({ state: "completed", drops: [] });
      expect(report.phases.filter(({ entered }) => !entered)).toEqual([]);
      expect(report.calls.every(({ line }) => line !== undefined)).toBe(true);
    });
  }
  for (const file of readdirSync(EXAMPLES)) {
    test(`comes to the end of our ${file}`, async () => {
      await using home = await workflowHome();
      const { report } = await dryRun(home, readFileSync(join(EXAMPLES, file), "utf8"));
      expect(report).toMatchObject({ state: "completed", drops: [] });
    });
  }
});
