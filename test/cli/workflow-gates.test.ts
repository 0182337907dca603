/** `gate` in scripts, and the commands that list and decide gates, through the real program. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { GateRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { repoRuns } from "../support/repo-runs.ts";
import { isGone, lineOf, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const APPROVED = '{"approved":true,"reason":"all green","evidence":["log"]}';
const DENIED = '{"approved":false,"reason":"tests fail"}';

/** What each agent answers in turn; the last answer stays. */
function answers(...texts: readonly string[]): Record<string, string> {
  return { PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: JSON.stringify(texts) };
}

function gates(home: WorkflowHome): Promise<GateRecord[]> {
  return home.json<GateRecord[]>(["workflow", "gate", "list", "wf-test"]);
}

async function prompts(home: WorkflowHome): Promise<string[]> {
  const { agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
  return agents.map(({ label = "" }) => label);
}

describe("an agent gate", () => {
  test("that approves returns its verdict and is listed (oracle 83)", async () => {
    await using home = await workflowHome();
    const { result, exitCode, snapshot } = await home.script(
      'return await gate("release", "Is it safe?", { criteria: "tests pass" });',
      { stub: APPROVED },
    );
    expect(exitCode).toBe(0);
    expect(result).toEqual({
      approved: true,
      reason: "all green",
      gate: "release",
      verdict: { approved: true, reason: "all green", evidence: ["log"] },
    });
    expect(snapshot.agents).toMatchObject([{ label: "gate-release", mode: "read-only" }]);
    const [{ prompt = "" } = {}] = snapshot.agents;
    for (const part of ['"release"', "Is it safe?", "tests pass", "deny when unsure"]) {
      expect(prompt).toContain(part);
    }
    expect(await gates(home)).toMatchObject([
      {
        run_id: "wf-test",
        name: "release",
        message: "Is it safe?",
        status: "approved",
        manual: false,
        reason: "all green",
        approved_at: expect.any(String),
      },
    ]);
  });

  test("that denies ends the run, says why and what to do (oracle 83)", async () => {
    await using home = await workflowHome();
    const { exitCode, snapshot, stderr } = await home.script(
      'await gate("approve-patches"); return "unreached";',
      { stub: DENIED },
    );
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({ error_code: "gate_rejected" });
    const message = 'workflow gate "approve-patches" rejected by agent: tests fail';
    expect(snapshot.run.error).toContain(message);
    expect(errorOf(stderr).hints.join()).toContain("pallium workflow gate reopen wf-test <name>");
    expect(await gates(home)).toMatchObject([{ status: "rejected", reason: "tests fail" }]);
  });

  test("that denies can be caught, or returns with fail_on_deny false", async () => {
    await using home = await workflowHome();
    const { result, exitCode } = await home.script(
      `const seen = await gate("a", { failOnDeny: false });
       const caught = await gate("b").catch((error) => [error.code, error.message]);
       return [seen.approved, seen.reason, caught];`,
      { stub: DENIED },
    );
    expect(exitCode).toBe(0);
    const message = 'workflow gate "b" rejected by agent: tests fail';
    expect(result).toEqual([false, "tests fail", ["gate_rejected", message]]);
  });

  test.each([
    ["parallel", 'await parallel([1, 2], (n) => gate("g" + n, "p"));'],
    ["pipeline", 'await pipeline([1, 2], (n) => gate("g" + n, "p"));'],
  ])("that denies inside %s is no dropped item: the run ends (E5)", async (_, source) => {
    await using home = await workflowHome();
    const { exitCode, snapshot } = await home.script(`${source} return "went on";`, {
      stub: DENIED,
    });
    expect(exitCode).toBe(1);
    expect(snapshot.run).toMatchObject({ error_code: "gate_rejected" });
    expect(snapshot.run.result).toBeUndefined();
    expect(snapshot.run.failures ?? []).toEqual([]);
  });

  test("that denies inside parallel is the script's where it catches it there (E5)", async () => {
    await using home = await workflowHome();
    const { exitCode, result } = await home.script(
      'return await parallel([1, 2], (n) => gate("g" + n).catch((e) => e.code));',
      { stub: DENIED },
    );
    expect(exitCode).toBe(0);
    expect(result).toEqual(["gate_rejected", "gate_rejected"]);
  });

  test("of many items are asked at the same time (E4)", async () => {
    await using home = await workflowHome();
    const waits = `touch "$HOME/$PALLIUM_WORKFLOW_LABEL"
      until [ -e "$HOME/gate-1" ] && [ -e "$HOME/gate-2" ] && [ -e "$HOME/gate-3" ]; do sleep 0.02; done
      echo '${APPROVED}'`;
    const { result } = await home.script(
      `const stages = await pipeline([1, 2, 3], (n) => gate(String(n)));
       return stages.map(({ approved }) => approved);`,
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) } },
    );
    expect(result).toEqual([true, true, true]);
  });

  test.each([
    ["gate()", "gate_name_required", "gate name is required"],
    ['gate("a\\nb")', "bad_option", "gate name must be one line"],
    ['gate("a", 1)', "bad_option", "gate prompt must be text"],
    ['gate("a", "p", { failOnDany: true })', "bad_option", "did you mean"],
    ['gate("a", "p", { mode: "edit" })', "bad_option", 'invalid gate mode "edit"'],
    ['gate("a", "p", { fail_on_deny: "no" })', "bad_option", "must be a boolean"],
  ])("%s is refused", async (call, code, message) => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`await ${call}`, { stub: APPROVED });
    expect(snapshot.run).toMatchObject({ error_code: code });
    expect(snapshot.run.error).toContain(message);
    expect(snapshot.agents).toEqual([]);
  });
});

test("a gate and a nested workflow see what agents of the run edited (oracle 47)", async () => {
  await using at = await repoRuns({ indexed: false });
  const inner = 'return await agent("look", { label: "look" });';
  await Bun.write(join(at.home.directory, ".pallium/workflows/inner.js"), inner);
  const command = `case "$PALLIUM_WORKFLOW_LABEL" in
    edit) echo edited > note.txt; echo done;;
    look) cat note.txt;;
    *) printf '{"approved":true,"reason":"%s"}' "$(cat note.txt)";;
  esac`;
  const { result } = await at.script(
    `await agent("write", { label: "edit", mode: "edit" });
     return [(await gate("g", "p")).reason, await workflow("inner")];`,
    { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) } },
  );
  expect(result).toEqual(["edited", "edited"]);
});

describe("a resumed gate", () => {
  test("that approved is a call like others: what follows is found again (S1)", async () => {
    await using home = await workflowHome();
    const source = `await agent("before", { label: "before" });
      const { approved } = await gate("release", "ok?");
      return [approved, await agent("after", { label: "after" })];`;
    const first = await home.script(source, { stub: "x", env: answers("b", APPROVED, "a") });
    const again = await home.script(source, { stub: "other" });
    expect(again.result).toEqual(first.result);
    expect(await prompts(home)).toEqual(["before", "gate-release", "after"]);
    const plan = await home.json(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 3, misses: 0, not_reached: [] });
  });

  test("that rejected does what it did: with fail_on_deny false it returns (S2)", async () => {
    await using home = await workflowHome();
    const source = `const { approved } = await gate("g", "p", { fail_on_deny: false });
      return approved;`;
    await home.script(source, { stub: DENIED });
    const again = await home.script(source, { stub: APPROVED });
    expect(again).toMatchObject({ exitCode: 0, result: false });
    const strict = await home.script('await gate("g", "p");', { stub: APPROVED });
    expect(strict.snapshot.run.error).toContain('workflow gate "g" rejected by agent: tests fail');
    expect(await prompts(home)).toEqual(["gate-g"]);
  });

  test("is asked anew where its prompt or its criteria changed (S2)", async () => {
    await using home = await workflowHome();
    const gate = (rest: string) => `return (await gate("g", ${rest})).approved;`;
    const env = answers(APPROVED);
    await home.script(gate('"one"'), { stub: "x", env });
    await home.script(gate('"two"'), { stub: "x", env });
    await home.script(gate('"two", { criteria: "c" }'), { stub: "x", env });
    await home.script(gate('"one"'), { stub: "never asked" });
    expect(await prompts(home)).toEqual(["gate-g", "gate-g", "gate-g"]);
    expect(await gates(home)).toHaveLength(3);
  });

  test("of one name in two places has two verdicts (S2)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(
      `const ask = () => gate("g", "p", { fail_on_deny: false });
       const one = await ask();
       const [two] = await parallel([1], ask);
       return [one.approved, two.approved];`,
      { stub: "x", env: answers(APPROVED, DENIED) },
    );
    expect(result).toEqual([true, false]);
    expect(await gates(home)).toMatchObject([{ status: "rejected" }, { status: "approved" }]);
  });

  test("that was reopened is asked again, once (S2)", async () => {
    await using home = await workflowHome();
    const source = 'return (await gate("g", "p")).reason;';
    await home.script(source, { stub: DENIED });
    const reopen = ["workflow", "gate", "reopen", "wf-test", "g", "--reason", "tests are mended"];
    expect(await home.json<GateRecord>(reopen)).toMatchObject({ status: "open", awaited: false });
    expect(await gates(home)).toMatchObject([{ status: "open" }]);
    const plan = await home.json(["workflow", "resume", "wf-test", "--plan"]);
    const calls = [{ label: "gate-g", reason: "reopened: its gate is to be asked again" }];
    expect(plan).toMatchObject({ hits: 0, misses: 1, calls });
    expect((await home.script(source, { stub: APPROVED })).result).toBe("all green");
    expect((await home.script(source, { stub: DENIED })).result).toBe("all green");
    expect(await gates(home)).toMatchObject([{ status: "approved" }]);
  });

  test("can be decided by a person in the place of the agent", async () => {
    await using home = await workflowHome();
    const source = 'return (await gate("g", "p")).reason;';
    await home.script(source, { stub: DENIED });
    await home.json(["workflow", "gate", "reopen", "wf-test", "g"]);
    const approve = ["workflow", "gate", "approve", "wf-test", "g", "--reason", "I looked"];
    expect(await home.json<GateRecord>(approve)).toMatchObject({ status: "approved" });
    const plan = await home.json(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 1, misses: 0 });
    const resumed = await home.script(source, { stub: DENIED });
    expect(resumed.result).toBe("I looked");
    expect((await home.script(source, { stub: DENIED })).result).toBe("I looked");
    expect(await prompts(home)).toEqual(["gate-g"]);
  });
});

test("a gate that a person decides after its runner died needs no agent any more", async () => {
  await using home = await workflowHome();
  const waits = `echo $$ > "$HOME/pid"; touch "$HOME/ready"; sleep 600; echo '${DENIED}'`;
  const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) };
  const source = 'return (await gate("g", "p")).reason;';
  await using runner = await startRun(home, source, env);
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
  await home.json(["workflow", "gate", "approve", "wf-test", "g", "--reason", "by hand"]);
  expect((await home.script(source, { env })).result).toBe("by hand");
  expect(await isGone(home, "pid")).toBe(true);
});

describe("a manual gate", () => {
  const SOURCE = `const { approved, reason, verdict } =
      await gate("ship", "Ship it?", { manual: true, criteria: "it is Monday" });
    return [approved, reason, verdict.manual];`;

  test("waits for a command, without a slot and without cost", async () => {
    await using home = await workflowHome();
    const source = `const [gated, checked] = await Promise.all([
        gate("ship it", "Ship it?", { manual: true }),
        check("echo worked"),
      ]);
      return [gated.reason, checked.ok, budget.spent()];`;
    await using runner = await startRun(home, source, {}, ["--max-concurrent-agents", "1"]);
    await lineOf(runner.stderr, "decide it: pallium workflow gate reject wf-test 'ship it'");
    expect(await gates(home)).toMatchObject([{ status: "open", manual: true }]);
    const approve = ["workflow", "gate", "approve", "wf-test", "ship it", "--reason", "looks good"];
    expect(await home.json<GateRecord>(approve)).toMatchObject({
      status: "approved",
      awaited: true,
    });
    expect(await runner.exited).toBe(0);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(JSON.parse(run.result ?? "")).toEqual(["looks good", true, 0]);
    const { stdout } = await home.pallium(["workflow", "show", "wf-test"]);
    expect(stdout).toContain("- gate-ship it completed (approved) mode=manual");
  });

  test("that is rejected says so and throws", async () => {
    await using home = await workflowHome();
    await using runner = await startRun(home, SOURCE, {});
    await lineOf(runner.stderr, "gate ship waits for a decision: Ship it? Criteria: it is Monday");
    await home.json(["workflow", "gate", "reject", "wf-test"]);
    expect(await runner.exited).toBe(1);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run).toMatchObject({ status: "completed_with_failures", error_code: "gate_rejected" });
    expect(run.error).toContain('workflow gate "ship" rejected');
    expect(run.error).not.toContain("by agent");
  });

  test("survives its runner: what was decided meanwhile is found by the resume", async () => {
    await using home = await workflowHome();
    await using runner = await startRun(home, SOURCE, {});
    await lineOf(runner.stderr, "waits for a decision");
    runner.kill("SIGKILL");
    await runner.exited;
    const approve = ["workflow", "gate", "approve", "wf-test", "ship", "--reason", "yes"];
    expect(await home.json<GateRecord>(approve)).toMatchObject({ awaited: false });
    const plan = await home.json(["workflow", "resume", "wf-test", "--plan"]);
    expect(plan).toMatchObject({ hits: 1, misses: 0 });
    expect((await home.script(SOURCE)).result).toEqual([true, "yes", true]);
    expect((await home.script(SOURCE)).result).toEqual([true, "yes", true]);
  });

  test.each(["pause", "stop"] as const)("ends its wait on %s, and asks again", async (action) => {
    await using home = await workflowHome();
    await using runner = await startRun(home, SOURCE, {});
    await lineOf(runner.stderr, "waits for a decision");
    await home.json(["workflow", action, "wf-test"]);
    expect(await runner.exited).toBe(1);
    expect(await gates(home)).toMatchObject([{ status: "open" }]);
    await using again = await startRun(home, SOURCE, {});
    await lineOf(again.stderr, "waits for a decision");
    expect(await gates(home)).toHaveLength(1);
    await home.json(["workflow", "gate", "approve", "wf-test", "ship"]);
    expect(await again.exited).toBe(0);
  });

  test("that the script does not wait for holds up nothing", async () => {
    await using home = await workflowHome();
    const { exitCode, result } = await home.script(
      'gate("ship", { manual: true }); await agent("x"); return "done";',
      { stub: "x" },
    );
    expect({ exitCode, result }).toEqual({ exitCode: 0, result: "done" });
  });
});

describe("workflow gate", () => {
  test("lists in the order of the latest and prints an empty list", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    expect(await gates(home)).toEqual([]);
    const empty = await home.pallium(["workflow", "gates", "ls", "wf-test"]);
    expect(empty.stdout).toBe("No workflow gates found.\n");
    await home.script('await gate("one", "p"); await gate("two", "q");', { stub: APPROVED });
    const { stdout } = await home.pallium(["workflow", "gate", "list", "wf-test"]);
    expect(stdout.split("\n").filter((line) => line.startsWith("-"))).toEqual([
      "- two approved q",
      "- one approved p",
    ]);
  });

  test.each([
    [["approve", "wf-test", "other"], "gate_not_found"],
    [["reopen", "wf-other", "g"], "run_not_found"],
    [["approve", "wf-test", "g"], "gate_decided"],
    [["reopen", "wf-test", "open"], "gate_open"],
    [["approve", "wf-test", "open"], "gate_ambiguous"],
  ])("%p is %s", async (args, code) => {
    await using home = await workflowHome();
    await home.script('await gate("g", "p");', { stub: APPROVED });
    const source = 'await Promise.all([1, 2].map((n) => gate("open", "p" + n)));';
    const fails = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "exit 3") };
    await home.script(source, { env: fails });
    const { stdout, stderr, exitCode } = await home.pallium([
      "workflow",
      "gate",
      ...args,
      "--json",
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(errorOf(stderr)).toMatchObject({ code });
    if (code === "gate_not_found") {
      expect(errorOf(stderr).message).toBe('workflow gate "other" for run "wf-test" was not found');
    }
    if (code === "gate_ambiguous") {
      const [hint = ""] = errorOf(stderr).hints;
      const id = hint.split(" ").at(-1) ?? "";
      const chosen = ["workflow", "gate", "approve", "wf-test", "--gate", id];
      expect(await home.json<GateRecord>(chosen)).toMatchObject({ id, status: "approved" });
    }
  });

  test("decides no gate that an agent is deciding", async () => {
    await using home = await workflowHome();
    const waits = `touch "$HOME/begun"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo '${APPROVED}'`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", waits) };
    await using runner = await startRun(home, 'await gate("g", "p");', env, ["--verbose"]);
    await lineOf(runner.stderr, "gate-g started");
    const refused = await home.pallium(["workflow", "gate", "reject", "wf-test", "g", "--json"]);
    expect(errorOf(refused.stderr)).toMatchObject({ code: "gate_at_work" });
    await Bun.write(join(home.directory, "go"), "");
    expect(await runner.exited).toBe(0);
    expect(await gates(home)).toMatchObject([{ status: "approved" }]);
  });
});
