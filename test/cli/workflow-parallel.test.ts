/** Concurrency, order and drops: the oracles of the contract on parallel and pipeline. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { provider, workflowHome } from "../support/workflow.ts";

const ECHO = '{"prompt":"{{PROMPT}}"}';
const LEDGER = 'echo "start $PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"';

describe("concurrency", () => {
  test.each([
    ["thunks", `await parallel([0, 1, 2, 3].map((n) => () => agent("t" + n)));`],
    ["a mapper", `await parallel([0, 1, 2, 3], (n) => agent("t" + n));`],
    ["a pipeline", `await pipeline([0, 1, 2, 3], (n) => agent("t" + n));`],
    ["Promise.all", `await Promise.all([0, 1, 2, 3].map((n) => agent("t" + n)));`],
  ])(
    "of agents by %s is real: each waits for all four to have started (oracle 10)",
    async (_name, source) => {
      await using home = await workflowHome();
      const barrier = `${LEDGER}; while [ "$(wc -l < "$HOME/ledger")" -lt 4 ]; do sleep 0.02; done; echo done`;
      const { exitCode, snapshot } = await home.script(source, {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", barrier) },
        flags: ["--agent-timeout", "20"],
      });
      expect(snapshot.agents.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
      expect(exitCode).toBe(0);
    },
  );

  test("is bounded: never more at work than --max-concurrent-agents (oracle 10)", async () => {
    await using home = await workflowHome();
    const command = [
      'mkdir -p "$HOME/in"; touch "$HOME/in/$PALLIUM_WORKFLOW_AGENT_ID"',
      'ls "$HOME/in" | wc -l >> "$HOME/seen"; sleep 0.1; rm "$HOME/in/$PALLIUM_WORKFLOW_AGENT_ID"; echo done',
    ].join("; ");
    await home.script(`await parallel([1, 2, 3, 4, 5, 6], (n) => agent("t" + n));`, {
      env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
      flags: ["--max-concurrent-agents", "2"],
    });
    const seen = (await readFile(join(home.directory, "seen"), "utf8"))
      .trim()
      .split("\n")
      .map(Number);
    expect(seen).toHaveLength(6);
    expect(Math.max(...seen)).toBe(2);
  });

  test("of a pipeline streams: a slow item holds nobody (oracle 12)", async () => {
    await using home = await workflowHome();
    const command = `${LEDGER}; case "$PALLIUM_WORKFLOW_LABEL" in slow-1) while ! grep -q fast-2 "$HOME/ledger"; do sleep 0.02; done;; esac; echo done`;
    const { snapshot } = await home.script(
      `await pipeline(["slow", "fast"], (_, item) => agent("one", { label: item + "-1" }), (_, item) => agent("two", { label: item + "-2" }));`,
      {
        env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
        flags: ["--agent-timeout", "20"],
      },
    );
    expect(snapshot.agents.every(({ status }) => status === "completed")).toBe(true);
  });
});

describe("callbacks", () => {
  test("of parallel receive item and index (oracle 11)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `await parallel(["a", "b", "c", "d"], (item, index) => agent("inspect " + item + " #" + index));`,
      { stub: ECHO },
    );
    expect(snapshot.agents.map(({ prompt }) => prompt)).toContain("inspect d #3");
  });

  test("of a pipeline receive previous, original and index (oracle 13)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `await pipeline(["alpha", "beta"], (item) => item.toUpperCase(),
        (previous, original, index) => agent("verify " + previous + " from " + original + " #" + index));`,
      { stub: ECHO },
    );
    const prompts = snapshot.agents.map(({ prompt }) => prompt).sort();
    expect(prompts).toEqual(["verify ALPHA from alpha #0", "verify BETA from beta #1"]);
  });

  test("may be async and really wait (oracle 14, E1, E2, E3)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(
      `const piped = await pipeline(["alpha"], async (item) => (await agent(item)).prompt.toUpperCase(),
         async (previous) => (await agent("inspect " + previous)).prompt);
       const mapped = await parallel(["x"], async (item) => (await agent(item)).prompt + "!");
       return { piped, mapped };`,
      { stub: ECHO },
    );
    expect(result).toEqual({ piped: ["inspect ALPHA"], mapped: ["x!"] });
  });

  test.each([
    [
      "mapper",
      `await parallel(["a", "b", "c"], (x) => { if (x === "b") throw new Error("no b"); return x; })`,
    ],
    [
      "thunk",
      `await parallel(["a", "b", "c"].map((x) => () => { if (x === "b") throw new Error("no b"); return x; }))`,
    ],
    [
      "stage",
      `await pipeline(["a", "b", "c"], (x) => { if (x === "b") throw new Error("no b"); return x; })`,
    ],
  ])("that throw in a %s drop one item, in its place (oracle 15)", async (kind, source) => {
    await using home = await workflowHome();
    const { result, snapshot, stderr, exitCode } = await home.script(`return ${source};`);
    expect(result).toEqual(["a", null, "c"]);
    expect(snapshot.run.status).toBe("completed");
    expect(snapshot.run.failures).toEqual([
      {
        label: kind === "stage" ? "pipeline stage 0 item 1" : "parallel item 1",
        error: expect.stringContaining("no b"),
      },
    ]);
    expect(stderr).toContain("1 item failed");
    expect(exitCode).toBe(0);
  });
});

describe("failures", () => {
  const failing = `case "$PALLIUM_WORKFLOW_PROMPT" in *bad*) echo "failed intentionally" >&2; exit 7;; esac; echo fine`;

  test("of one agent are recorded once, under its label and phase (oracle 18)", async () => {
    await using home = await workflowHome();
    const { result, snapshot, exitCode } = await home.script(
      `phase("parallel"); return await parallel(["one", "bad", "two"], (x) => agent("do " + x, { label: x }));`,
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", failing) } },
    );
    expect(result).toEqual(["fine", null, "fine"]);
    expect(snapshot.agents.map(({ status }) => status).sort()).toEqual([
      "completed",
      "completed",
      "failed",
    ]);
    expect(snapshot.run.failures).toEqual([
      { label: "bad", phase: "parallel", error: expect.stringContaining("failed intentionally") },
    ]);
    expect(exitCode).toBe(0);
  });

  test("are never taken for a budget by their text (oracles 19, 31)", async () => {
    await using home = await workflowHome();
    const command = failing.replace("failed intentionally", "workflow budget exhausted");
    const { snapshot } = await home.script(
      `return await parallel(["one", "bad"], (x) => agent("do " + x, { label: x }));`,
      { env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) } },
    );
    expect(snapshot.run.status).toBe("completed");
    expect(snapshot.run.failures).toHaveLength(1);
    const thrown = await home.script(
      `try { await agent("bad"); } catch (error) { throw new Error("wrapped: " + error.message); }`,
      { id: "wf-wrapped", env: { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) } },
    );
    expect(thrown.snapshot.run).toMatchObject({
      status: "failed",
      error_code: "script_error",
      error: expect.stringContaining("workflow budget exhausted"),
    });
  });

  test("of a caught call are counted all the same, and fail a strict run", async () => {
    await using home = await workflowHome();
    const source = `await agent("one"); try { await agent("bad"); } catch {} return "done";`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", failing) };
    const loose = await home.script(source, { env });
    expect(loose).toMatchObject({ exitCode: 0, snapshot: { run: { status: "completed" } } });
    const status = await home.json<{ verdict: string; outcomes: object }>([
      "workflow",
      "status",
      "wf-test",
    ]);
    expect(status.verdict).toBe("VERDICT: FINISHED — 1/2 agents complete, 1 dropped, 1 failed");
    const strict = await home.script(source, { id: "wf-strict", env, flags: ["--strict"] });
    expect(strict).toMatchObject({
      exitCode: 1,
      snapshot: { run: { status: "completed_with_failures", result: "done" } },
    });
  });

  test("of 64 concurrent items are all recorded (oracle 22)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `return await parallel(Array.from({ length: 64 }, (_, i) => i), (i) => { throw new Error("drop " + i); });`,
    );
    expect(snapshot.run.failures).toHaveLength(64);
    expect(snapshot.run.failures?.map(({ label }) => label).sort()).toEqual(
      Array.from({ length: 64 }, (_, i) => `parallel item ${i}`).sort(),
    );
  });

  test("of every agent fail the command, not the row (oracle 36)", async () => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "exit 1") };
    const { snapshot, stderr, exitCode } = await home.script(
      `return await parallel(["x"], (x) => agent(x));`,
      { env },
    );
    expect(snapshot.run.status).toBe("completed");
    expect(stderr).toContain("workflow run wf-test failed: every agent failed");
    expect(exitCode).toBe(1);
  });

  test("of the cap end the whole run (oracle 16)", async () => {
    await using home = await workflowHome();
    const { snapshot, exitCode } = await home.script(
      `await agent("warm up");
       return await parallel(["a", "b"], (x) => { if (x === "a") throw new Error("a"); return agent(x); });`,
      { stub: "fine", flags: ["--max-agents", "1"] },
    );
    expect(snapshot.run.error).toContain("workflow exceeded max agents: 1");
    expect(snapshot.run.status).toBe("completed_with_failures");
    expect(snapshot.agents).toHaveLength(1);
    expect(exitCode).toBe(1);
  });

  test("of a pipeline stage skip the later ones (oracle 20)", async () => {
    await using home = await workflowHome();
    const { result, snapshot } = await home.script(
      `phase("judge");
       return await pipeline(["a", "b"], (x, _, i) => { if (i === 1) throw new Error("stage rejected this item"); return x; },
         (x) => agent("judge " + x).then((answer) => answer.prompt));`,
      { stub: ECHO },
    );
    expect(result).toEqual(["judge a", null]);
    expect(snapshot.run.failures).toEqual([
      {
        label: "pipeline stage 0 item 1",
        phase: "judge",
        error: expect.stringContaining("stage rejected this item"),
      },
    ]);
  });
});

describe("call indices", () => {
  test("count the order in which calls start; a rerun serves the old answers (oracle 21)", async () => {
    await using home = await workflowHome();
    const source = `return await pipeline(["a", "b"], (x) => agent("one " + x), (_, x) => agent("two " + x));`;
    const first = await home.script(source, { stub: "first" });
    expect(first.snapshot.agents.map(({ call_index }) => call_index)).toEqual([1, 2, 3, 4]);
    const again = await home.script(source, { stub: "second" });
    expect(again.result).toEqual(["first", "first"]);
    expect(again.snapshot.agents).toHaveLength(4);
  });
});
