/** `workflow(name, args?)`: saved workflows as part of a run, through the real program. */
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { JournalEvent } from "../../src/workflow/reports/events.ts";
import type { ResumePlan } from "../../src/workflow/run/resume-plan.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, lineOf, startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

function save(home: WorkflowHome, name: string, source: string): Promise<number> {
  return Bun.write(fileOf(home, name), source);
}

function fileOf(home: WorkflowHome, name: string): string {
  return join(home.directory, ".pallium/workflows", `${name}.js`);
}

/** A provider that keeps a ledger of the prompts it was paid for. */
const LEDGER = {
  PALLIUM_WORKFLOW_PROVIDER: "p",
  ...provider("p", 'echo "$(cat "$PALLIUM_WORKFLOW_PROMPT_FILE")" >> "$HOME/ledger"; echo ok'),
};

async function paid(home: WorkflowHome): Promise<string[]> {
  const text = await Bun.file(join(home.directory, "ledger")).text();
  return text.trim().split("\n").sort();
}

describe("a workflow in a workflow", () => {
  test("gets its args, shares the run, and gives back what it returns (oracle 78)", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'await agent("inner"); return { args, spent: budget.spent() };');
    const { result, snapshot } = await home.script(
      'await agent("outer"); return await workflow("inner", { x: [1] });',
      { stub: "text", flags: ["--args", '{"outer":true}'] },
    );
    expect(result).toEqual({ args: { x: [1] }, spent: 0.02 });
    expect(snapshot.agents.map(({ prompt }) => prompt)).toEqual(["outer", "inner"]);
  });

  test.each([
    ["undefined", "log(1);", null],
    ["a number", "return 42;", 42],
    ["text", 'return "42";', "42"],
    ["text that is a JSON array", 'return "[1, 2]";', [1, 2]],
    ["its args when there are none", "return args;", null],
  ])("returns %s as an agent would answer it", async (_, source, value) => {
    await using home = await workflowHome();
    await save(home, "inner", source);
    const { result } = await home.script('return [await workflow("/inner.js")];');
    expect(result).toEqual([value]);
  });

  test.each([
    ["itself", "inner"],
    ["another", "third"],
  ])("may not run %s (oracle 78)", async (_, name) => {
    await using home = await workflowHome();
    await save(home, "inner", `await workflow("${name}");`);
    await save(home, "third", "return 1;");
    const { exitCode, snapshot } = await home.script('await workflow("inner");');
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({ error_code: "nested_depth" });
    expect(snapshot.run.error).toContain(`nested workflow depth exceeded while running "${name}"`);
  });

  test.each([
    ["await workflow();", "workflow_name_required", "workflow name is required"],
    ['await workflow("gone");', "workflow_not_found", 'saved workflow "gone" not found'],
    ['await workflow("../x");', "invalid_id", ""],
    ['await workflow("broken");', "script_syntax", "broken.js"],
  ])("%s fails as %s", async (source, code, message) => {
    await using home = await workflowHome();
    await save(home, "broken", "return (;");
    const { snapshot } = await home.script(source);
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: code });
    expect(snapshot.run.error).toContain(message);
  });

  test("that fails says where, and the failed call is listed once", async () => {
    await using home = await workflowHome();
    await save(home, "inner", '\n  await agent("bad", { label: "bad" });');
    const { result, snapshot } = await home.script(
      'return await workflow("inner").catch((error) => [error.code, error.message]);',
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "echo broken >&2; exit 3") } },
    );
    expect(result).toEqual(["agent_failed", expect.stringContaining('workflow "inner" failed: ')]);
    expect(String(result)).toContain("(line 2, column");
    expect(snapshot.run.failures).toMatchObject([{ label: "bad" }]);
  });

  test("keeps the phase of the outer script, and its own apart (S5)", async () => {
    await using home = await workflowHome();
    const source =
      'await agent("plain"); phase("own"); await agent("a"); await phase("shared", () => agent("b"));';
    await save(home, "inner", source);
    const { snapshot } = await home.script(
      `phase("shared");
       await workflow("inner");
       await agent("after");`,
      { stub: "x" },
    );
    expect(snapshot.agents.map(({ prompt, phase }) => [prompt, phase])).toEqual([
      ["plain", "shared"],
      ["a", "own"],
      ["b", "shared"],
      ["after", "shared"],
    ]);
    expect(snapshot.phases).toMatchObject([
      { name: "shared", agent_count: 3 },
      { name: "own", agent_count: 1 },
    ]);
    const events = (await home.pallium(["workflow", "events", "wf-test", "--json"])).stdout;
    const phases = events
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JournalEvent["data"] & { type: string })
      .filter(({ type }) => type === "phase");
    expect(phases.map(({ name, active }) => [name, active])).toEqual([
      ["shared", true],
      ["own", true],
      ["own", false],
      ["shared", false],
    ]);
  });

  test("in a callback runs beside the others, its answers no placeholders (E4)", async () => {
    await using home = await workflowHome();
    const waits = `touch "$HOME/$PALLIUM_WORKFLOW_LABEL"
      until [ -e "$HOME/one" ] && [ -e "$HOME/two" ]; do sleep 0.02; done; echo "did $PALLIUM_WORKFLOW_LABEL"`;
    await save(
      home,
      "inner",
      'const answer = await agent("x", { label: args }); return answer + "!";',
    );
    const { result } = await home.script(
      'return await parallel(["one", "two"], (name) => workflow("inner", name));',
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) } },
    );
    expect(result).toEqual(["did one!", "did two!"]);
  });

  test("shares caps and budget: a spent one ends the run", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'await agent("b"); await agent("c");');
    const source = `await agent("a");
      await parallel([1], () => workflow("inner"));
      return "went on";`;
    const { snapshot } = await home.script(source, { stub: "x", flags: ["--max-agents", "2"] });
    expect(snapshot.run).toMatchObject({ error_code: "max_agents" });
    expect(snapshot.run.error).toContain("workflow exceeded max agents: 2");
  });

  test("waits for nothing that cannot settle, and ends a run it makes stall", async () => {
    await using home = await workflowHome();
    await save(home, "waits", "await new Promise(() => {});");
    await save(home, "spins", "for (;;) {}");
    const source = "return await workflow(args).catch((error) => error.code);";
    const flags = (name: string) => ["--args", `"${name}"`, "--script-stall", "1"];
    expect((await home.script(source, { flags: flags("waits") })).result).toBe("deadlock");
    const { snapshot } = await home.script(source, { flags: flags("spins") });
    expect(snapshot.run).toMatchObject({ status: "failed", error_code: "script_stalled" });
  });

  test("that nobody waits for ends with the run; its call at work finishes first", async () => {
    await using home = await workflowHome();
    const waits = 'touch "$HOME/begun"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo done';
    await save(home, "inner", 'await agent("x"); await agent("never");');
    const source = `workflow("inner");
      await check('until [ -e "$HOME/begun" ]; do sleep 0.02; done');
      return 1;`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) };
    await using runner = await startRun(home, source, env, ["--verbose"]);
    await lineOf(runner.stderr, "calls at work finish first");
    await Bun.write(join(home.directory, "go"), "");
    expect(await runner.exited).toBe(0);
    const { agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(agents.map(({ prompt, status }) => [prompt, status]).slice(1)).toEqual([
      ["x", "completed"],
    ]);
  });
});

describe("a resumed workflow in a workflow", () => {
  const OUTER = 'await agent("outer"); return await workflow("inner", 1);';

  test("pays for nothing twice", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'return await parallel([1, 2], (n) => agent("inner " + n));');
    await home.script(OUTER, { env: LEDGER });
    const plan = await home.json<ResumePlan>(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 3, misses: 0, not_reached: [], script_changed: false });
    expect(plan.calls.map(({ scope }) => scope)).toEqual([
      "",
      "workflow#0/parallel#0[0]",
      "workflow#0/parallel#0[1]",
    ]);
    expect((await home.script(OUTER, { env: LEDGER })).result).toEqual(["ok", "ok"]);
    expect(await paid(home)).toEqual(["inner 1", "inner 2", "outer"]);
  });

  test("whose file changed keeps what did not change, and says so", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'await agent("same"); return await agent("old");');
    await home.script(OUTER, { env: LEDGER });
    await save(home, "inner", 'await agent("same"); return await agent("new");');
    const plan = await home.json<ResumePlan>(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 2, misses: 1, script_changed: true });
    const again = await home.script(OUTER, { env: LEDGER });
    expect(again.stderr).toContain('saved workflow "inner" changed since original run');
    expect(again.snapshot.run.script_changed).toBe(true);
    expect(await paid(home)).toEqual(["new", "old", "outer", "same"]);
  });

  test("whose file is gone runs the text that was kept", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'return await agent("inner");');
    await home.script(OUTER, { env: LEDGER });
    await rm(fileOf(home, "inner"));
    const plan = await home.json<ResumePlan>(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 2, misses: 0 });
    const again = await home.script(OUTER, { env: LEDGER });
    expect(again.result).toBe("ok");
    expect(again.stderr).toContain('saved workflow "inner" is gone');
    expect(await paid(home)).toEqual(["inner", "outer"]);
  });

  test("is planned up to where the journal lacks an answer", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'await agent("one"); return await agent("two");');
    const fails = provider("p", 'grep -q two "$PALLIUM_WORKFLOW_PROMPT_FILE" && exit 3; echo ok');
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...fails };
    await home.script(`${OUTER} await agent("after");`, { env });
    const plan = await home.json<ResumePlan>(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 2, misses: 1 });
    expect(plan.error).toBeUndefined();
    expect(plan.calls.at(-1)).toMatchObject({
      scope: "workflow#0",
      reason: "failed before: failed",
    });
  });

  test("takes over what a dead runner left", async () => {
    await using home = await workflowHome();
    await save(home, "inner", 'return await agent("inner");');
    const waits = `echo $$ > "$HOME/pid"; echo paid >> "$HOME/ledger"; touch "$HOME/ready"
      until [ -e "$HOME/go" ]; do sleep 0.02; done; echo done`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) };
    const source = 'return await workflow("inner");';
    await using runner = await startRun(home, source, env);
    await fileAppears(join(home.directory, "ready"));
    runner.kill("SIGKILL");
    await runner.exited;
    await Bun.write(join(home.directory, "go"), "");
    expect((await home.script(source, { env })).result).toBe("done");
    expect(await paid(home)).toEqual(["paid"]);
    expect(await isGone(home, "pid")).toBe(true);
    const { agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(agents).toMatchObject([{ prompt: "inner", status: "completed" }]);
  });
});
