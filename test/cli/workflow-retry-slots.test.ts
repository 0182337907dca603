/** A call that waits for its busy provider holds up no other, and waits no longer than it may. */
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { lineOf, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const ONE_AT_A_TIME = ["--max-concurrent-agents", "1"];

/** The first call's provider is busy once, for so many seconds; the second's does what it is told. */
function busyFirst(seconds: number, second: string): Record<string, string> {
  const command = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/calls"
    if [ "$PALLIUM_WORKFLOW_LABEL" = b ]; then ${second}; echo b; exit 0; fi
    echo '{"cost_usd":0.4,"retry_after_seconds":${seconds}}' > "$PALLIUM_WORKFLOW_USAGE_FILE"
    if [ $(grep -c a "$HOME/calls") = 1 ]; then echo overloaded >&2; exit 1; fi
    echo a`;
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command), ...provider("q", command) };
}

async function calls(home: WorkflowHome): Promise<string> {
  return (await readFile(join(home.directory, "calls"), "utf8")).replaceAll("\n", " ").trim();
}

const BOTH = `return await Promise.all([agent("x", { label: "a" }), agent("x", { label: "b", provider: "q" })]);`;

describe("a call that waits for its busy provider", () => {
  test("leaves its slot to a call of another provider meanwhile", async () => {
    await using home = await workflowHome();
    const env = busyFirst(0.5, "sleep 0.6");
    const { result } = await home.script(BOTH, { env, flags: ONE_AT_A_TIME });
    expect(result).toEqual(["a", "b"]);
    expect(await calls(home)).toBe("a b a");
  });

  test("waits for its slot until its own deadline, and keeps the failure it had", async () => {
    await using home = await workflowHome();
    const script = `return await parallel([["a", 2, "p"], ["b", 0, "q"]], ([label, timeoutSeconds, provider]) =>
      agent("x", { label, timeoutSeconds, provider }));`;
    const env = busyFirst(0.01, `while [ ! -e "$HOME/go" ]; do sleep 0.02; done`);
    const runner = await startRun(home, script, env, ["--max-concurrent-agents", "1"]);
    await lineOf(runner.stderr, "a failed:");
    await writeFile(join(home.directory, "go"), "");
    expect(await runner.exited).toBe(0);
    const { run, agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(JSON.parse(run.result ?? "")).toEqual([null, "b"]);
    expect(agents.map(({ outcome }) => outcome)).toEqual(["failed", "ok"]);
    expect(agents[0]?.error).toContain("overloaded");
    expect(await calls(home)).toBe("a b");
  });

  test.each(["pause", "stop"] as const)("is ended by a %s from elsewhere", async (action) => {
    await using home = await workflowHome();
    const runner = await startRun(home, BOTH, busyFirst(60, "true"));
    await lineOf(runner.stderr, "is tried again in 60 s");
    await home.json(["workflow", action, "wf-test"]);
    await runner.exited;
    const { run, agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    const status = action === "pause" ? "paused" : "stopped";
    expect(run.status).toBe(status);
    expect(agents[0]).toMatchObject({ status, outcome: "cancelled", estimated_cost_usd: 0.4 });
  });

  test("is ended by the duration that the run may take", async () => {
    await using home = await workflowHome();
    const { stderr } = await home.script(BOTH, {
      env: busyFirst(60, "true"),
      flags: ["--max-duration", "1"],
    });
    expect(errorOf(stderr).code).toBe("max_duration");
  });

  test("is not asked again once others have spent what the run may spend", async () => {
    await using home = await workflowHome();
    const spend = `echo '{"cost_usd":0.7}' > "$PALLIUM_WORKFLOW_USAGE_FILE"`;
    const { snapshot } = await home.script(BOTH, {
      env: busyFirst(0.01, spend),
      flags: ["--max-budget-usd", "1", "--max-concurrent-agents", "1"],
    });
    expect(await calls(home)).toBe("a b");
    expect(snapshot.agents[0]).toMatchObject({
      outcome: "failed",
      estimated_cost_usd: 0.4,
      error: expect.stringContaining("workflow budget exhausted: it is not tried again"),
    });
  });
});

describe("calls that have not begun", () => {
  /** Busy until it is asked a second time by the same call. */
  const BUSY = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/calls"
    if [ $(grep -c "^$PALLIUM_WORKFLOW_LABEL$" "$HOME/calls") -gt 1 ]; then touch "$HOME/back"; fi
    if [ -e "$HOME/back" ]; then echo "$PALLIUM_WORKFLOW_LABEL"; exit 0; fi
    echo '{"retry_after_seconds":0.5}' > "$PALLIUM_WORKFLOW_USAGE_FILE"
    echo overloaded >&2; exit 1`;
  const env = {
    PALLIUM_WORKFLOW_PROVIDER: "p",
    ...provider("p", BUSY),
    ...provider("q", `echo "$PALLIUM_WORKFLOW_LABEL" | tee -a "$HOME/calls"`),
  };

  test.each(["--max-concurrent-agents=1", "--provider-concurrency=p=1"])(
    "are not spent on a provider that is known to be busy (%s)",
    async (flag) => {
      await using home = await workflowHome();
      const script = `return await parallel(["a", "b", "c", "d"], (label) => agent("x", { label }));`;
      const { result } = await home.script(script, { env, flags: [flag, "--retries", "1"] });
      expect(result).toEqual(["a", "b", "c", "d"]);
      expect(await calls(home)).toBe("a a b c d");
    },
  );

  test("run on where their provider is another", async () => {
    await using home = await workflowHome();
    const script = `return await parallel([["a", "p"], ["b", "p"], ["c", "q"]], ([label, provider]) =>
      agent("x", { label, provider }));`;
    await home.script(script, { env, flags: ONE_AT_A_TIME });
    expect(await calls(home)).toBe("a c a b");
  });

  test("are let go by a stop from elsewhere, unbegun", async () => {
    await using home = await workflowHome();
    const script = `return await parallel(["a", "b"], (label) => agent("x", { label }));`;
    const forLong = { ...env, ...provider("p", BUSY.replace("0.5", "60")) };
    const runner = await startRun(home, script, forLong, ONE_AT_A_TIME);
    await lineOf(runner.stderr, "is tried again in 60 s");
    await home.json(["workflow", "stop", "wf-test"]);
    await runner.exited;
    const { run, agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe("stopped");
    expect(agents.map(({ label }) => label)).toEqual(["a"]);
  });
});
