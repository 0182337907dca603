/** `workflow resume --plan`: what a resume would take from the journal, and why it would run the rest. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { ResumePlan } from "../../src/workflow/run/resume-plan.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const STUB = { PALLIUM_WORKFLOW_AGENT_STUB: "stubbed" };

async function plan(
  home: WorkflowHome,
  script?: string,
  env: Readonly<Record<string, string>> = STUB,
): Promise<ResumePlan> {
  const edited = join(home.directory, "edited.js");
  if (script !== undefined) await writeFile(edited, script);
  const flags = script === undefined ? [] : ["--script", edited];
  const words = ["workflow", "resume", "wf-test", "--plan", ...flags];
  const document = await home.json<ResumePlan>(words, env);
  expect(outputs["workflow.plan"].safeParse(document).error?.issues ?? []).toEqual([]);
  return document;
}

/** `label: result` or `label: reason` of each call. */
function told({ calls }: ResumePlan): string[] {
  return calls.map(({ label, result, reason }) => `${label}: ${reason ?? result}`);
}

/** Every row of every table. */
async function rows(home: WorkflowHome): Promise<string> {
  const database = new Database(join(home.directory, ".pallium/pallium.sqlite"), {
    readonly: true,
  });
  try {
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    return JSON.stringify(
      tables.map(({ name }) => [name, database.query(`SELECT * FROM ${name}`).all()]),
    );
  } finally {
    database.close();
  }
}

const SOURCE = `
  const first = await agent("look at the code", { label: "first" });
  const items = await parallel(["a", "b"], (item) =>
    agent("judge " + item + ": " + first, { label: "judge " + item }));
  return await agent("sum up " + items.length, { label: "sum" });`;

describe("resume --plan", () => {
  test("of a finished run finds every call, needs no files of it and writes nothing", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "stubbed" });
    await rm(join(home.directory, ".pallium/workflow-runs"), { recursive: true });
    const before = await rows(home);
    const report = await plan(home);
    expect(report).toMatchObject({ id: "wf-test", script_changed: false, not_reached: [] });
    expect(report).toMatchObject({ hits: 4, adopts: 0, misses: 0 });
    expect(report.calls).toEqual([
      { scope: "", label: "first", prompt_preview: "look at the code", result: "hit" },
      {
        scope: "parallel#0[0]",
        label: "judge a",
        prompt_preview: "judge a: stubbed",
        result: "hit",
      },
      {
        scope: "parallel#0[1]",
        label: "judge b",
        prompt_preview: "judge b: stubbed",
        result: "hit",
      },
      { scope: "", label: "sum", prompt_preview: "sum up 2", result: "hit" },
    ]);
    expect(await rows(home)).toBe(before);
  });

  test("with an edited script ends a branch where it misses, and lists what is not reached", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "stubbed" });
    const report = await plan(home, SOURCE.replace('"judge " + item + ":', '"weigh " + item + ":'));
    expect(report).toMatchObject({ script_changed: true, hits: 1, misses: 2 });
    expect(told(report)).toEqual([
      "first: hit",
      'judge a: prompt changed: first difference at character 1 ("judge a: stubbed" → "weigh a: stubbed")',
      'judge b: prompt changed: first difference at character 1 ("judge b: stubbed" → "weigh b: stubbed")',
    ]);
    expect(report.not_reached).toEqual([{ label: "sum", scope: "" }]);
    expect(report.error).toBeUndefined();
  });

  test.each([
    ["label changed", `agent("p", { label: "other" })`],
    ["model changed", `agent("p", { label: "l", model: "m" })`],
    ["schema changed", `agent("p", { label: "l", schema: { type: "string" } })`],
    ["mode changed", `agent("p", { label: "l", mode: "test" })`],
    ["provider changed", `agent("p", { label: "l", provider: "claude" })`],
    ["repo changed", `agent("p", { label: "l", repo: "/" })`],
    ["model, mode changed", `agent("p", { label: "l", mode: "test", model: "m" })`],
    ["moved: same work in another scope", `parallel([() => agent("p", { label: "l" })])`],
    ["never run", `check("true", { label: "l" })`],
  ])("says %s", async (reason, edited) => {
    await using home = await workflowHome();
    await home.script(`return await agent("p", { label: "l" });`, { stub: "stubbed" });
    const { calls } = await plan(home, `return await ${edited};`);
    expect(calls).toMatchObject([{ result: "miss", reason }]);
  });

  test("says that the arguments changed", async () => {
    await using home = await workflowHome();
    const source = `return await agent("p", { label: "l" });`;
    await home.script(source, { stub: "stubbed", flags: ["--args", "1"] });
    await home.script(source, { stub: "x", flags: ["--args", "2", "--max-budget-usd", "0"] });
    expect(told(await plan(home))).toEqual(["l: args changed"]);
  });

  test("says how a call failed before, and goes on where the script caught nothing else", async () => {
    await using home = await workflowHome();
    const env = {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", 'test "$PALLIUM_WORKFLOW_LABEL" = good && echo fine'),
    };
    const source = `return await parallel(["good", "bad"], (label) => agent("p", { label }));`;
    await home.script(source, { env });
    expect(told(await plan(home, undefined, env))).toEqual([
      "good: hit",
      "bad: failed before: failed",
    ]);
  });

  test("says what a dead runner left behind, and while a run goes on elsewhere", async () => {
    await using home = await workflowHome();
    const waiting = [
      'echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"',
      'touch "$HOME/ready"',
      'while [ ! -e "$HOME/go" ]; do sleep 0.02; done',
      "echo done",
    ].join("; ");
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waiting) };
    const runner = await startRun(
      home,
      `await agent("p", { label: "one" }); return agent("q");`,
      env,
    );
    await fileAppears(join(home.directory, "ready"));
    const expected = { hits: 0, adopts: 1, misses: 0 };
    expect(await plan(home, undefined, env)).toMatchObject(expected);
    runner.kill("SIGKILL");
    await runner.exited;
    const report = await plan(home, undefined, env);
    expect(report).toMatchObject({ ...expected, calls: [{ label: "one", result: "adopt" }] });
    await writeFile(join(home.directory, "go"), "");
    const resumed = await home.pallium(["workflow", "resume", "wf-test"], { env });
    expect(resumed.exitCode).toBe(0);
    expect(await readFile(join(home.directory, "ledger"), "utf8")).toBe("one\n\n");
  });

  test("tells of a script that fails by itself from one that waits for a missing answer", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("p");`, { stub: "stubbed" });
    const failing = await plan(home, `await agent("p"); throw new Error("on purpose");`);
    expect(failing).toMatchObject({ hits: 1, error: expect.stringContaining("on purpose") });
    const stuck = await plan(home, "await new Promise(() => {});");
    expect(stuck).toMatchObject({ calls: [], error: expect.stringContaining("pending") });
  });

  test("reads well as text", async () => {
    await using home = await workflowHome();
    await home.script(SOURCE, { stub: "stubbed" });
    await writeFile(join(home.directory, "edited.js"), SOURCE.replace("judge", "weigh"));
    const flags = ["--plan", "--script", "edited.js"];
    const { stdout } = await home.pallium(["workflow", "resume", "wf-test", ...flags], {
      env: STUB,
    });
    expect(stdout.split("\n")).toEqual([
      "Plan of workflow wf-test:",
      "- hit          first    top            look at the code",
      '- miss         judge a  parallel#0[0]  prompt changed: first difference at character 1 ("judge a: stubbed" → "weigh a: stubbed")',
      '- miss         judge b  parallel#0[1]  prompt changed: first difference at character 1 ("judge b: stubbed" → "weigh b: stubbed")',
      "- not reached  sum      top",
      "Script changed since original run",
      "1 call from the journal, 0 to take over, 2 to run, 1 not reached",
      "",
    ]);
  });

  test("is refused for an unknown run, and --script without it", async () => {
    await using home = await workflowHome();
    const failure = async (...flags: string[]) =>
      errorOf((await home.pallium(["workflow", "resume", "wf-x", "--json", ...flags])).stderr);
    expect(await failure("--plan")).toMatchObject({ code: "run_not_found" });
    expect(await failure("--script", "x.js")).toMatchObject({ code: "usage" });
  });
});
