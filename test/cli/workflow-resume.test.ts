/** What a resume pays for again, and what stays as it was. */
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { shellProgram } from "../support/provider-fixtures.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const LEDGER =
  'echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"; echo "answer $PALLIUM_WORKFLOW_LABEL"';
const USE_LEDGER = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", LEDGER) };

async function ledger(home: WorkflowHome): Promise<string[]> {
  return (await readFile(join(home.directory, "ledger"), "utf8")).trim().split("\n");
}

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

  test("of the same script serves the old answer under one row and one phase (oracle 40)", async () => {
    await using home = await workflowHome();
    const source = `phase("p"); return await agent("one");`;
    await home.script(source, { stub: "first" });
    const { snapshot, result, stderr } = await home.script(source, { stub: "second" });
    expect(result).toBe("first");
    expect(snapshot.agents).toHaveLength(1);
    expect(snapshot.phases).toMatchObject([{ name: "p", agent_count: 1 }]);
    expect(snapshot.run.script_changed).toBeUndefined();
    expect(stderr).not.toContain("script changed");
  });

  test("says that the script changed and replays what did not (oracle 40)", async () => {
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
  ])("runs again when the %s changed (oracle 40)", async (_name, flags, source) => {
    await using home = await workflowHome();
    await home.script(`return await agent("one");`, { stub: "[1]" });
    const { snapshot } = await home.script(source, { stub: "[2]", flags });
    expect(snapshot.agents.map(({ output }) => output)).toEqual(["[1]", "[2]"]);
  });

  test("knows equal calls apart (oracle 41)", async () => {
    await using home = await workflowHome();
    const source = `return [await agent("same"), await agent("same")];`;
    const { snapshot } = await home.script(source, { stub: "x" });
    expect(snapshot.agents.map(({ call_index }) => call_index)).toEqual([1, 2]);
    expect((await home.script(source, { stub: "y" })).snapshot.agents).toHaveLength(2);
  });

  test("keeps caps, timeout and budget unless told otherwise (oracle 34)", async () => {
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

  test("keeps the number of agents at once, and the codex it was given (S10)", async () => {
    await using home = await workflowHome();
    const codex = shellProgram(
      join(home.directory, "my-codex"),
      'while [ "$1" != --output-last-message ]; do shift; done',
      'mkdir "$HOME/alone" || { echo overlap > "$2"; exit 0; }',
      'sleep 0.1; rmdir "$HOME/alone"; echo alone > "$2"',
    );
    const source = `return await parallel([1, 2, 3], (n) => agent("x" + n));`;
    const limits = ["--codex", codex, "--max-concurrent-agents", "1"];
    await home.script(source, { flags: [...limits, "--max-budget-usd", "0"] });
    const { run, agents } = await home.json<Snapshot>([
      ...["workflow", "resume", "wf-test", "--max-budget-usd", "1"],
    ]);
    expect(JSON.parse(run.result ?? "")).toEqual(["alone", "alone", "alone"]);
    expect(run.max_concurrent_agents).toBe(1);
    expect(agents.map(({ provider }) => provider)).toEqual(["codex", "codex", "codex"]);
  });

  test("of an edited script needs no copy to be edited: run --id takes it, resume goes on with it (S10)", async () => {
    await using home = await workflowHome();
    const source = (tail: string) => `const one = await agent("one"); return one + "${tail}";`;
    await home.script(source(" a"), { stub: "x" });
    expect((await home.script(source(" b"), { stub: "y" })).result).toBe("x b");
    const { run } = await home.json<Snapshot>(["workflow", "resume", "wf-test"]);
    expect(run.result).toBe("x b");
  });

  test("keeps the cap over the life of the run (oracle 25)", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("one");`, { stub: "x", flags: ["--max-agents", "1"] });
    const { snapshot } = await home.script(`await agent("one"); return await agent("two");`, {
      stub: "x",
    });
    expect(snapshot.run.error).toContain("workflow exceeded max agents: 1");
  });

  test("is refused while as many runs are active as the variable allows (C3)", async () => {
    await using home = await workflowHome();
    await home.script("return 1;", { id: "wf-resumed" });
    const waiting = provider(
      "p",
      `touch "$HOME/ready"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo fine`,
    );
    const runner = await startRun(home, `return await agent("x");`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...waiting,
    });
    await fileAppears(join(home.directory, "ready"));
    const resume = (limit: string) =>
      home.pallium(["workflow", "resume", "wf-resumed", "--json"], {
        env: { PALLIUM_WORKFLOW_MAX_ACTIVE_RUNS: limit },
      });
    expect(errorOf((await resume("1")).stderr).code).toBe("fleet_limit");
    expect((await resume("2")).exitCode).toBe(0);
    await writeFile(join(home.directory, "go"), "");
    expect(await runner.exited).toBe(0);
  });
});
