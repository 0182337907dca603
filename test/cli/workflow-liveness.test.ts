/** Whether a run is alive, and what is true of one that is not. */
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { openDatabase } from "../../src/platform/sqlite/database.ts";
import { type ReconciledRun, reconcileRuns } from "../../src/workflow/run/reconcile.ts";
import { WORKFLOW_MIGRATIONS } from "../../src/workflow/run/schema.ts";
import type { RunStatus, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** The first of two agents waits with a child of its own until both are there. */
const WAITING = `mkdir "$HOME/here-$PALLIUM_WORKFLOW_LABEL"
sleep 300 & echo "$!" >"$HOME/grandchild-$PALLIUM_WORKFLOW_LABEL"
if [ -e "$HOME/here-a" ] && [ -e "$HOME/here-b" ]; then touch "$HOME/ready"; fi
wait`;
const env = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WAITING) };
const TWO = `return await parallel(["a", "b"], (label) => agent("wait", { label }));`;
const ANCIENT = "2020-01-01T00:00:00.000Z";

const storeOf = (home: WorkflowHome) => join(home.directory, ".pallium", "pallium.sqlite");

async function working(home: WorkflowHome) {
  const runner = await startRun(home, TWO, env);
  await fileAppears(join(home.directory, "ready"));
  return runner;
}

async function killed(home: WorkflowHome): Promise<void> {
  const runner = await working(home);
  runner.kill("SIGKILL");
  await runner.exited;
}

async function reconcile(home: WorkflowHome): Promise<ReconciledRun[]> {
  const database = await openDatabase({ path: storeOf(home), migrations: WORKFLOW_MIGRATIONS });
  try {
    return await reconcileRuns(database, systemClock());
  } finally {
    database.close();
  }
}

function edit(home: WorkflowHome, sql: string): void {
  using connection = new Connection(storeOf(home));
  connection.run(sql);
}

const shown = (home: WorkflowHome) => home.json<Snapshot>(["workflow", "show", "wf-test"]);

/** The run's processes are gone once this has ended, whoever executed it. */
const stop = (home: WorkflowHome) => home.pallium(["workflow", "stop", "wf-test"]);

describe("reconcile", () => {
  test("marks a run whose runner died, with its agents counted (72)", async () => {
    await using home = await workflowHome();
    await killed(home);
    expect(await reconcile(home)).toEqual([{ run_id: "wf-test", agents_reconciled: 2 }]);
    const { run, agents } = await shown(home);
    expect(run).toMatchObject({ status: "interrupted", error_code: "runner_died" });
    expect(agents.map(({ status }) => status)).toEqual(["interrupted", "interrupted"]);
    await stop(home);
    expect(await isGone(home, "grandchild-a")).toBe(true);
  });

  test("leaves a living runner alone, twenty times at once, however old its heartbeat (72, C8)", async () => {
    await using home = await workflowHome();
    const runner = await working(home);
    edit(home, `UPDATE workflow_leases SET heartbeat_at = '${ANCIENT}'`);
    const all = await Promise.all(Array.from({ length: 20 }, () => reconcile(home)));
    expect(all.flat()).toEqual([]);
    expect((await shown(home)).run.status).toBe("running");
    runner.kill("SIGTERM");
    expect(await runner.exited).toBe(143);
  });

  test("takes no other process for the runner because it has the same pid (C8)", async () => {
    await using home = await workflowHome();
    await killed(home);
    edit(home, `UPDATE workflow_leases SET owner = json_set(owner, '$.pid', ${process.pid})`);
    expect(await reconcile(home)).toHaveLength(1);
    await stop(home);
  });

  test("marks a run that died while it was queued, which takes no room in the fleet (C3)", async () => {
    await using home = await workflowHome();
    await killed(home);
    edit(home, "UPDATE workflow_runs SET status = 'queued'");
    const other = await home.script("return 1;", {
      id: "other",
      flags: ["--max-active-runs", "1"],
    });
    expect(other.exitCode).toBe(0);
    expect(await reconcile(home)).toMatchObject([{ run_id: "wf-test" }]);
    await stop(home);
  });
});

describe("the end of a run", () => {
  test("from outside comes at once, and every agent has its status (37, C6)", async () => {
    await using home = await workflowHome();
    const runner = await working(home);
    const start = performance.now();
    await stop(home);
    expect(await runner.exited).toBe(1);
    expect(performance.now() - start).toBeLessThan(4000);
    const { run, agents } = await shown(home);
    expect(run.status).toBe("stopped");
    expect(agents.map(({ status }) => status)).toEqual(["stopped", "stopped"]);
    expect(await isGone(home, "grandchild-a")).toBe(true);
    expect(await isGone(home, "grandchild-b")).toBe(true);
  });

  test("cannot be caught by the script (39)", async () => {
    await using home = await workflowHome();
    const source = `try { ${TWO} } catch { throw new Error("unrelated script failure"); }`;
    const runner = await startRun(home, source, env);
    await fileAppears(join(home.directory, "ready"));
    await home.pallium(["workflow", "pause", "wf-test"]);
    await runner.exited;
    expect((await shown(home)).run).toMatchObject({ status: "paused", error: "workflow paused" });
  });

  test.each<[string, RunStatus]>([
    ['throw new Error("");', "failed"],
    ['throw "";', "failed"],
    ["throw undefined;", "failed"],
    ['await agent("one"); throw new Error("");', "completed_with_failures"],
    ['await agent("one"); throw " ";', "completed_with_failures"],
  ])(
    "by a failure without a word has an error and a time: %s (oracle 93)",
    async (source, status) => {
      await using home = await workflowHome();
      const { snapshot, stderr } = await home.script(source, { stub: "fine" });
      const { error = "", completed_at } = snapshot.run;
      expect(snapshot.run.status).toBe(status);
      expect(error).toMatch(/\w/);
      expect(completed_at).toMatch(/^\d{4}-/);
      expect(errorOf(stderr).message).toBe(error);
    },
  );

  test("is kept by a stop that comes later; a resume replays it (42, C11)", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("one");`, { stub: "first" });
    await stop(home);
    const again = await home.pallium(["workflow", "resume", "wf-test", "--json"]);
    expect((JSON.parse(again.stdout) as Snapshot).run).toMatchObject({
      status: "completed",
      result: "first",
    });
    const status = await home.json<object>(["workflow", "status", "wf-test"]);
    expect(status).toMatchObject({ agents_total: 1, agents_completed: 1 });
  });
});
