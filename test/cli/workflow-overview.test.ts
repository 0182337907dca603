/** `workflow fleet` and `workflow analytics`: many runs at a glance. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { AnalyticsReport } from "../../src/workflow/reports/analytics.ts";
import type { FleetReport } from "../../src/workflow/reports/fleet.ts";
import { openStore, putCall, putRun } from "../support/store.ts";
import { type WorkflowHome, workflowHome } from "../support/workflow.ts";

const analytics = (home: WorkflowHome, ...args: string[]) =>
  home.json<AnalyticsReport>(["workflow", "analytics", ...args]);
const fleet = (home: WorkflowHome, ...args: string[]) =>
  home.json<FleetReport>(["workflow", "fleet", ...args]);

test("analytics count runs, agents and triggers (oracle 87)", async () => {
  await using home = await workflowHome();
  await home.script('return await agent("x", { label: "one" });', { stub: "fine" });
  await home.json(["workflow", "trigger", "add", "daily", "look at it"]);
  const document = await analytics(home);
  expect(document).toMatchObject({
    runs_total: 1,
    completion_rate: 1,
    agents_by_provider: { codex: 1 },
    triggers_total: 1,
    enabled_triggers: 1,
    most_recent_run_id: "wf-test",
  });
  expect(document.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(outputs["workflow.analytics"].safeParse(document).error?.issues ?? []).toEqual([]);
  const { stdout } = await home.pallium(["workflow", "analytics"]);
  expect(stdout).toContain("completion rate 100.0%\nAgents: 1, 1.00 per run\n");
  expect(stdout).toContain("Cost: $0.0100");
});

describe("a run whose runner died", () => {
  /** A store with one, which is active for whoever does not look. */
  async function withDeadRun(home: WorkflowHome): Promise<string> {
    const path = join(home.directory, "dead.sqlite");
    using store = await openStore(path);
    await store.write((tx) => {
      putRun(tx, "wf-dead", "running");
      putCall(tx, "wf-dead", { status: "running", outcome: null });
      putRun(tx, "wf-paused", "paused", { task: "wait\nfor it" });
      putCall(tx, "wf-paused", { status: "paused", outcome: "cancelled" });
      putRun(tx, "wf-failed", "failed", { error: "why" });
    });
    return path;
  }

  test("is marked before fleet counts, and named", async () => {
    await using home = await workflowHome();
    const db = await withDeadRun(home);
    const document = await fleet(home, "status", "--db", db);
    expect(document).toMatchObject({
      runs_total: 3,
      runs_by_status: { interrupted: 1, paused: 1, failed: 1 },
      running_agents: 0,
      paused_agents: 1,
      active_runs: [{ id: "wf-paused" }],
      reconciled: [{ run_id: "wf-dead", agents_reconciled: 1 }],
    });
    expect(outputs["workflow.fleet"].safeParse(document).error?.issues ?? []).toEqual([]);
    expect(await fleet(home, "--db", db)).not.toHaveProperty("reconciled");
  });

  test("is said at the top of the text, which names what is active", async () => {
    await using home = await workflowHome();
    const db = await withDeadRun(home);
    const { stdout } = await home.pallium(["workflow", "fleet", "--db", db]);
    expect(stdout).toStartWith(
      "Reconciled 1 stale run(s), 1 agent(s) to interrupted just now:\n- wf-dead (1 agents)\n\nWorkflow fleet status\nRuns: 3\nTriggers: 0 enabled / 0 total\nAgents: 0 running, 1 paused, 0 failed\n",
    );
    expect(stdout).toContain(
      "Runs by status:\n- paused: 1\n- failed: 1\n- interrupted: 1\n\nActive runs:\n- wf-paused paused wait for it\n",
    );
    expect(stdout).toContain("Run        Status");
  });

  test("is marked before analytics count", async () => {
    await using home = await workflowHome();
    const db = await withDeadRun(home);
    expect(await analytics(home, "--db", db)).toMatchObject({
      runs_by_status: { interrupted: 1 },
      agents_by_status: { interrupted: 1, paused: 1 },
      reconciled: [{ run_id: "wf-dead", agents_reconciled: 1 }],
    });
  });
});

test.each(["fleet", "analytics"])(
  "%s counts the newest runs, as many as asked for",
  async (name) => {
    await using home = await workflowHome();
    for (const id of ["wf-1", "wf-2"]) await home.script("return 1;", { id });
    expect(await home.json(["workflow", name, "--limit", "1"])).toMatchObject({ runs_total: 1 });
    for (const limit of ["0", "-1", "x"]) {
      const { exitCode, stderr } = await home.pallium(["workflow", name, `--limit=${limit}`]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain("--limit");
    }
    const nowhere = await home.pallium(["workflow", name, "--db", "none.sqlite"]);
    expect(nowhere.stderr).toContain("no database is at none.sqlite");
  },
);
