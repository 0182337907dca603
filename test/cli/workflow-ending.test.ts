/** Runs that are ended from elsewhere or by signals: processes, row and exit status. */
import { describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { requestControl } from "../../src/workflow/run/control.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears, lineAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { openStore } from "../support/store.ts";
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
    "workflow %s ends its processes and leaves a true row (C5, C6)",
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
  ] as const)("%s exits %i, the run is %s (C5, C6)", async (signal, exitCode, status) => {
    await using home = await workflowHome();
    const runner = await startRun(home, `return await agent("one");`, env);
    await fileAppears(join(home.directory, "ready"));
    runner.kill(signal);
    expect(await runner.exited).toBe(exitCode);
    expect(JSON.parse(await runner.stdout.text()).run.status).toBe(status);
    expect(await isGone(home, "ready")).toBe(true);
    expect(await isGone(home, "grandchild")).toBe(true);
  });

  test.each([
    ["stop", "stopped"],
    ["pause", "paused"],
  ] as const)("%s ends a script that is busy (C7)", async (verb, status) => {
    await using home = await workflowHome();
    const runner = await startRun(home, `await agent("one"); while (true) {}`, {
      PALLIUM_WORKFLOW_PROVIDER: "p",
      ...provider("p", 'echo fine; touch "$HOME/ready"'),
    });
    await fileAppears(join(home.directory, "ready"));
    await home.pallium(["workflow", verb, "wf-test"]);
    expect(await runner.exited).toBe(1);
    const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(run.status).toBe(status);
  });

  test.each(["stop", "pause"])(
    "%s leaves a finished run as it is (oracle 42, C11)",
    async (verb) => {
      await using home = await workflowHome();
      await home.script(`return "done";`);
      const asked = await home.json<object>(["workflow", verb, "wf-test"]);
      expect(asked).toEqual({ id: "wf-test", status: "completed", unchanged: true });
      const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
      expect(run).toMatchObject({ status: "completed", result: "done" });
    },
  );

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

describe("an answer that is there when the run is ended", () => {
  const FINISHING = [
    'echo one >> "$HOME/ledger"; touch "$HOME/ready"',
    'while [ ! -e "$HOME/go" ]; do sleep 0.02; done; echo paid',
  ].join("; ");
  const source = `return await agent("one");`;

  test.each([
    ["stop", "stopped"],
    ["pause", "paused"],
  ] as const)("is kept by %s, and a resume takes it (D15)", async (action, status) => {
    await using home = await workflowHome();
    const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", FINISHING) };
    const runner = await startRun(home, source, env);
    await fileAppears(join(home.directory, "ready"));
    // The runner learns of the end of its worker and of the request in the same moment.
    runner.kill("SIGSTOP");
    await writeFile(join(home.directory, "go"), "");
    const calls = join(home.directory, ".pallium/workflow-runs/wf-test/calls");
    const [call = ""] = await readdir(calls);
    // A shell makes the file before it writes the status into it.
    await lineAppears(join(calls, call, "exit"));
    const store = await openStore(join(home.directory, ".pallium/pallium.sqlite"));
    await store.write((tx) => requestControl(tx, "wf-test", action, systemClock()));
    store.close();
    runner.kill("SIGCONT");
    expect(await runner.exited).toBe(1);
    const { run, agents } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe(status);
    expect(agents).toMatchObject([{ status: "completed", outcome: "ok", output: "paid" }]);
    const again = await home.json<Snapshot>(["workflow", "resume", "wf-test"], env);
    expect(again.run).toMatchObject({ status: "completed", result: "paid" });
    expect(await readFile(join(home.directory, "ledger"), "utf8")).toBe("one\n");
  });
});
