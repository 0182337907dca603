/** Whether a run is alive, and what is true of one that is not. */
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { watch } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { openDatabase } from "../../src/platform/sqlite/database.ts";
import { type ControlAction, requestControl } from "../../src/workflow/run/control.ts";
import { type ReconciledRun, reconcileRuns } from "../../src/workflow/run/reconcile.ts";
import { WORKFLOW_MIGRATIONS } from "../../src/workflow/run/schema.ts";
import type { RunStatus, Snapshot } from "../../src/workflow/run/types.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** The first of two agents waits with a child of its own until both are there. */
const WAITING = `sleep 300 & echo "$!" >"$HOME/grandchild-$PALLIUM_WORKFLOW_LABEL"
mkdir "$HOME/here-$PALLIUM_WORKFLOW_LABEL"
if [ -e "$HOME/here-a" ] && [ -e "$HOME/here-b" ]; then touch "$HOME/ready"; fi
wait`;
const usingP = (command: string) => ({ PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) });
const env = usingP(WAITING);
const TWO = `return await parallel(["a", "b"], (label) => agent("wait", { label }));`;
/** Agents at work at once; the last to begin says that all are there. */
const MANY = 96;
const COUNTED = `mkdir "$HOME/at-work-$PALLIUM_WORKFLOW_AGENT_ID"
if [ "$(ls -d "$HOME"/at-work-* | wc -l)" -eq ${MANY} ]; then touch "$HOME/ready"; fi`;
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

/** Leaves the request that `workflow stop` and `pause` leave, without the time they take to start. */
async function request(home: WorkflowHome, action: ControlAction): Promise<void> {
  const database = await openDatabase({ path: storeOf(home), migrations: WORKFLOW_MIGRATIONS });
  try {
    await database.write((tx) => requestControl(tx, "wf-test", action, systemClock()));
  } finally {
    database.close();
  }
}

const shown = (home: WorkflowHome) => home.json<Snapshot>(["workflow", "show", "wf-test"]);

/** The run's processes are gone once this has ended, whoever executed it. */
const stop = (home: WorkflowHome) => home.pallium(["workflow", "stop", "wf-test"]);

describe("reconcile", () => {
  test("marks a run whose runner died, with its agents counted (oracle 72)", async () => {
    await using home = await workflowHome();
    await killed(home);
    expect(await reconcile(home)).toEqual([{ run_id: "wf-test", agents_reconciled: 2 }]);
    const { run, agents } = await shown(home);
    expect(run).toMatchObject({ status: "interrupted", error_code: "runner_died" });
    expect(agents.map(({ status }) => status)).toEqual(["interrupted", "interrupted"]);
    await stop(home);
    expect(await isGone(home, "grandchild-a")).toBe(true);
  });

  test("leaves a living runner alone, twenty times at once, however old its heartbeat (oracle 72, C8)", async () => {
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

  test("marks a run that died while it was queued, which takes no room in the fleet (oracle 72, C3)", async () => {
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

  test("has nothing to do for a dead run that was stopped: only its agents were marked with it (oracle 72)", async () => {
    await using home = await workflowHome();
    await killed(home);
    await stop(home);
    expect(await reconcile(home)).toEqual([]);
    const { run, agents } = await shown(home);
    expect(run.status).toBe("stopped");
    expect(agents.map(({ status }) => status)).toEqual(["interrupted", "interrupted"]);
  });
});

describe("a run at work", () => {
  test("is not finished, says the first line of its status (oracle 85)", async () => {
    await using home = await workflowHome();
    const runner = await working(home);
    const { stdout } = await home.pallium(["workflow", "status", "wf-test"]);
    expect(stdout).toStartWith("VERDICT: NOT FINISHED (running)");
    runner.kill("SIGTERM");
    await runner.exited;
  });

  test("has a heartbeat that does not wait for an agent to finish (C8)", async () => {
    await using home = await workflowHome();
    const runner = await working(home);
    using connection = new Connection(storeOf(home), { readonly: true });
    const heartbeat = connection.query<{ at: string }, []>(
      "SELECT heartbeat_at AS at FROM workflow_leases",
    );
    const first = heartbeat.get()?.at ?? "";
    // The store is touched a moment before what was written can be read.
    for await (const _touched of watch(dirname(storeOf(home)))) break;
    while ((heartbeat.get()?.at ?? "") <= first) await new Promise(setImmediate);
    runner.kill("SIGTERM");
    await runner.exited;
  });

  test("writes every time in one width, so that they compare as text (C8)", async () => {
    await using home = await workflowHome();
    const { stdout } = await home.script(`phase("p"); return await agent("x");`, { stub: "fine" });
    const times = [...stdout.matchAll(/_at": "(.*)"/g)].map(([, time]) => time);
    expect(times.length).toBeGreaterThan(6);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

describe("the end of a run", () => {
  test.each([
    ["stop", "stopped"],
    ["pause", "paused"],
  ] as const)(
    "by %s comes within 2 s, every agent has its status (oracle 37, C6)",
    async (action, status) => {
      await using home = await workflowHome();
      const runner = await working(home);
      const start = performance.now();
      await request(home, action);
      expect(await runner.exited).toBe(1);
      expect(performance.now() - start).toBeLessThan(2000);
      const { run, agents } = await shown(home);
      expect(run.status).toBe(status);
      expect(agents.map((agent) => agent.status)).toEqual([status, status]);
      expect(await isGone(home, "grandchild-a")).toBe(true);
      expect(await isGone(home, "grandchild-b")).toBe(true);
    },
  );

  test("takes no longer for many agents than for one (P2)", async () => {
    await using home = await workflowHome();
    const many = `${COUNTED}; sleep 300 & wait`;
    const source = `return await parallel(Array.from({ length: ${MANY} }, (_, i) => i), () => agent("x"));`;
    const flags = ["--max-concurrent-agents", String(MANY)];
    const runner = await startRun(home, source, usingP(many), flags);
    await fileAppears(join(home.directory, "ready"));
    const start = performance.now();
    await request(home, "stop");
    expect(await runner.exited).toBe(1);
    expect(performance.now() - start).toBeLessThan(2000);
    const { agents } = await shown(home);
    expect(agents.map(({ status }) => status)).toEqual(Array(MANY).fill("stopped"));
  });

  test.each([
    ["pause", "paused"],
    ["stop", "stopped"],
  ] as const)("by %s cannot be caught by the script (oracle 39)", async (action, status) => {
    await using home = await workflowHome();
    const source = `try { ${TWO} } catch { throw new Error("unrelated script failure"); }`;
    const runner = await startRun(home, source, env);
    await fileAppears(join(home.directory, "ready"));
    await home.pallium(["workflow", action, "wf-test"]);
    await runner.exited;
    expect((await shown(home)).run).toMatchObject({ status, error: `workflow ${status}` });
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

  test.each(["stop", "pause"])(
    "is kept by a %s that comes later; a resume replays it (oracle 42, C11)",
    async (verb) => {
      await using home = await workflowHome();
      await home.script(`return await agent("one");`, { stub: "first" });
      await home.pallium(["workflow", verb, "wf-test"]);
      const again = await home.pallium(["workflow", "resume", "wf-test", "--json"]);
      expect((JSON.parse(again.stdout) as Snapshot).run).toMatchObject({
        status: "completed",
        result: "first",
      });
      const status = await home.json<object>(["workflow", "status", "wf-test"]);
      expect(status).toMatchObject({ agents_total: 1, agents_completed: 1 });
    },
  );
});
