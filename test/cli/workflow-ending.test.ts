/** Runs that are ended from elsewhere or by signals: processes, row and exit status. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

/** An agent that starts a grandchild, says where it is, and works until it is ended. */
const WORKING = [
  'sleep 300 & echo "$!" > "$HOME/grandchild"',
  'echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"',
  "while :; do sleep 1; done",
].join("; ");

describe("ending a run from outside", () => {
  const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WORKING) };

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
