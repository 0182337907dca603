/** Records of workflows that the Go program made are here on first use; its database stays as it is. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { Inspection, StatusReport } from "../../src/workflow/reports/status.ts";
import type { GateRecord, RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import type { TriggerRecord } from "../../src/workflow/triggers/types.ts";
import { GO_TIME, GO_WORKFLOW_TABLES, goRows, writeGoWorkflows } from "../support/go-workflows.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const AT = "2026-01-02T03:04:05.123Z";
const FAILURES = JSON.stringify([{ label: "b", phase: "look", error: "it broke" }]);
const ROWS = [
  goRows(
    "workflow_runs",
    {
      id: "wf-1-1",
      task: "review it",
      result: '{"ok":true}',
      failures: FAILURES,
      max_agents: 7,
      loop_name: "nightly",
      completed_at: GO_TIME,
    },
    { id: "wf-1-2", status: "running", owner_pid: 0, updated_at: "2026-01-03T00:00:00Z" },
    { id: "wf-1-3", status: "failed", error: "no" },
  ),
  goRows("workflow_phases", { id: "p1", run_id: "wf-1-1", name: "look", agent_count: 2 }),
  goRows(
    "workflow_agents",
    {
      id: "a1",
      run_id: "wf-1-1",
      call_index: 1,
      phase: "look",
      label: "a",
      provider: "claude",
      output: "fine",
      estimated_cost_usd: 0.01,
    },
    { id: "a2", run_id: "wf-1-1", call_index: 2, label: "b", status: "failed", error: "it broke" },
    {
      id: "a3",
      run_id: "wf-1-1",
      call_index: 2,
      label: "b",
      patch_path: "/p",
      created_at: "2026-01-02T03:05:00Z",
    },
    { id: "a4", run_id: "wf-1-2", call_index: 1, status: "running" },
  ),
  goRows("workflow_gates", { id: "g1", run_id: "wf-1-1", name: "go", message: "may it?" }),
  goRows(
    "workflow_decisions",
    { id: "d1", run_id: "wf-1-1", title: "Use queues", body: "they last", tags: '["storage"]' },
    { id: "d2", run_id: "gone", title: "Of no run" },
  ),
  goRows(
    "workflow_triggers",
    { name: "t1", kind: "on-changed", last_run_id: "wf-1-1", last_ran_at: GO_TIME },
    { name: "t2", kind: "whatever", enabled: 0 },
  ),
].join("\n");

function goPath(home: WorkflowHome): string {
  return join(home.directory, ".pallium", "codex-sessions.sqlite");
}

async function goHome(sql = ROWS): Promise<WorkflowHome> {
  const home = await workflowHome();
  await writeGoWorkflows(goPath(home), sql);
  return home;
}

const list = (home: WorkflowHome, ...flags: readonly string[]) =>
  home.json<RunRecord[]>(["workflow", "list", ...flags]);

describe("records of the Go program", () => {
  test("are shown by every command that shows records, with their times", async () => {
    await using home = await goHome();
    const before = await readFile(goPath(home));
    const first = await home.pallium(["workflow", "list"]);
    expect(first.stdout).toBe(
      "Workflow runs:\n- wf-1-2 interrupted a task\n- wf-1-3 failed a task\n- wf-1-1 completed review it\n",
    );
    expect(first.stderr).toBe(
      `copied 3 runs, 2 triggers, 1 decision of the Go program from ${goPath(home)}, which stays as it is\n`,
    );
    expect((await home.pallium(["workflow", "list"])).stderr).toBe("");
    const shown = await home.json<Snapshot>(["workflow", "show", "wf-1-1"]);
    expect(outputs["workflow.show"].parse(shown)).toEqual(shown);
    expect(shown.run).toMatchObject({
      ...{ task: "review it", status: "completed", origin: "go", loop_name: "nightly" },
      ...{ max_agents: 7, created_at: AT, updated_at: AT, completed_at: AT },
      failures: [{ label: "b", phase: "look", error: "it broke" }],
    });
    expect(shown.phases).toMatchObject([{ name: "look", agent_count: 2, created_at: AT }]);
    expect(shown.agents).toMatchObject([
      { id: "a1", call_index: 1, provider: "claude", output: "fine", outcome: "ok" },
      { id: "a2", call_index: 2, provider: "codex", status: "failed", superseded: true },
      { id: "a3", call_index: 3, prompt: "do it", patch_path: "/p", mode: "read-only" },
    ]);
    expect(shown.agents[0]?.estimated_cost_usd).toBe(0.01);
    expect(await home.json<StatusReport>(["workflow", "status", "wf-1-1"])).toMatchObject({
      verdict: "VERDICT: FINISHED — 2/2 agents complete, 1 dropped",
      agents_total: 2,
    });
    const cut = await home.json<Inspection>(["workflow", "inspect", "wf-1-2"]);
    expect(cut.status).toMatchObject({ status: "interrupted", error: "the runner died" });
    expect(cut.agents).toMatchObject([{ id: "a4", status: "interrupted" }]);
    expect((await home.pallium(["workflow", "read", "wf-1-1"])).stdout).toBe('{"ok":true}\n');
    expect(await home.json<GateRecord[]>(["workflow", "gate", "list", "wf-1-1"])).toEqual([
      {
        ...{ id: "g1", run_id: "wf-1-1", name: "go", message: "may it?", status: "approved" },
        ...{ manual: false, call_id: "", opened_at: AT, approved_at: AT },
      },
    ]);
    const triggers = await home.json<TriggerRecord[]>(["workflow", "trigger", "list"]);
    expect(triggers).toMatchObject([
      { name: "t1", kind: "on-changed", enabled: true, last_ran_at: AT },
      { name: "t2", kind: "manual", enabled: false },
    ]);
    const { result } = await home.script(`return pallium.decisions.search("");`);
    expect(result).toMatchObject([
      { id: "d2", title: "Of no run", run_id: "gone" },
      { id: "d1", title: "Use queues", body: "they last", tags: ["storage"], created_at: AT },
    ]);
    expect(await readFile(goPath(home))).toEqual(before);
    expect(
      (await readdir(dirname(goPath(home)))).filter((name) => name.startsWith("codex")),
    ).toEqual(["codex-sessions.sqlite"]);
  });

  test("cannot be resumed, applied, reverted or shown as a diff; their script can be run and saved", async () => {
    await using home = await goHome();
    const folder = join(home.directory, ".pallium", "workflow-runs", "wf-1-1");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "workflow.js"), "return 'again';");
    const refused = [["resume"], ["resume", "--plan"], ["apply"], ["revert"], ["diff"]].map(
      async ([verb = "", ...flags]) => {
        const args = ["workflow", verb, "wf-1-1", ...flags, "--json"];
        return errorOf((await home.pallium(args)).stderr);
      },
    );
    for (const error of await Promise.all(refused)) {
      expect(error.code).toBe("run_from_go");
      expect(error.hints.at(-1)).toBe(
        `to do the work anew: pallium workflow run --script ${join(folder, "workflow.js")}`,
      );
    }
    const again = await home.script("return 1;", { id: "wf-1-1" });
    expect(errorOf(again.stderr).code).toBe("run_from_go");
    expect(
      (await home.pallium(["workflow", "save", "wf-1-1", "--name", "x", "--user"])).exitCode,
    ).toBe(0);
    expect((await home.pallium(["workflow", "run", "/x"])).stdout).toContain("again");
  });

  test("count in reports and sums, and go to another machine as what they are", async () => {
    await using home = await goHome();
    const report = await home.json<object>(["workflow", "report", "wf-1-1"]);
    expect(report).toMatchObject({
      ...{ id: "wf-1-1", status: "completed" },
      failures: [{ label: "b", error: "it broke" }],
    });
    const sums = await home.json<object>(["workflow", "analytics"]);
    expect(sums).toMatchObject({ runs_total: 3, triggers_total: 2 });
    await home.json(["workflow", "export", "wf-1-1"]);
    await using other = await workflowHome();
    const file = join(home.directory, "wf-1-1.pallium.tar.gz");
    await other.json(["workflow", "import", file]);
    const shown = await other.json<Snapshot>(["workflow", "show", "wf-1-1"]);
    expect(shown.run.origin).toBe("go");
    expect(shown.agents).toHaveLength(3);
    const refused = await other.pallium(["workflow", "resume", "wf-1-1", "--json"]);
    expect(errorOf(refused.stderr).code).toBe("run_from_go");
  });

  test("are copied once: what changed there comes, what changed or went here stays so", async () => {
    await using home = await goHome();
    await list(home);
    await home.json(["workflow", "delete", "wf-1-3"]);
    await home.json(["workflow", "trigger", "delete", "t2"]);
    await home.json(["workflow", "trigger", "disable", "t1"]);
    using go = new Database(goPath(home));
    const later = "2026-02-01T00:00:00Z";
    go.run("UPDATE workflow_runs SET result = 'new', updated_at = ? WHERE id <> 'wf-1-2'", [later]);
    go.run("UPDATE workflow_triggers SET task = 'changed', updated_at = ?", [later]);
    go.run(goRows("workflow_runs", { id: "wf-9" }));
    const { stderr } = await home.pallium(["workflow", "list"]);
    expect(stderr).toStartWith("copied 2 runs of the Go program");
    expect((await list(home)).map(({ id }) => id)).toEqual(["wf-1-1", "wf-1-2", "wf-9"]);
    expect((await home.pallium(["workflow", "read", "wf-1-1"])).stdout).toBe("new\n");
    expect((await home.json<Snapshot>(["workflow", "show", "wf-1-1"])).agents).toHaveLength(3);
    const triggers = await home.json<TriggerRecord[]>(["workflow", "trigger", "list"]);
    expect(triggers).toMatchObject([{ name: "t1", task: "t", enabled: false }]);
  });

  test("of the same id as one here stay where they are", async () => {
    await using home = await workflowHome();
    await home.script("return 'ours';", { id: "wf-1-1" });
    await writeGoWorkflows(goPath(home), ROWS);
    expect(await list(home)).toHaveLength(3);
    expect((await home.pallium(["workflow", "read", "wf-1-1"])).stdout).toBe("ours\n");
  });

  test("of a run at work come once its process has ended", async () => {
    const child = Bun.spawn(["sleep", "600"]);
    const now = new Date().toISOString();
    const running = { status: "running", owner_pid: child.pid, updated_at: now, heartbeat_at: now };
    await using home = await goHome(
      [
        goRows("workflow_runs", { id: "busy", ...running }),
        goRows("workflow_agents", {
          id: "a",
          run_id: "busy",
          status: "running",
        }),
      ].join("\n"),
    );
    const first = await home.pallium(["workflow", "list", "--json"]);
    expect(JSON.parse(first.stdout)).toEqual([]);
    expect(first.stderr).toBe(
      "1 run of the Go program at work: copied by the next command after the end\n",
    );
    expect((await home.pallium(["workflow", "list"])).stderr).toBe("");
    child.kill();
    await child.exited;
    expect(await list(home)).toMatchObject([{ id: "busy", status: "interrupted" }]);
  });

  test("are read from a log beside the database that a killed process left, which stays", async () => {
    await using home = await workflowHome();
    await writeGoWorkflows(goPath(home), ROWS, { killed: "wal" });
    const wal = await readFile(`${goPath(home)}-wal`);
    expect(await list(home)).toHaveLength(3);
    expect(await readFile(`${goPath(home)}-wal`)).toEqual(wal);
  });

  test("are found at the older place too, and not where the user said another home", async () => {
    await using home = await workflowHome();
    await writeGoWorkflows(join(home.directory, ".codex-memory", "codex-sessions.sqlite"), ROWS);
    expect(await list(home)).toHaveLength(3);
    const env = { PALLIUM_HOME: join(home.directory, "elsewhere") };
    expect(await home.json<unknown[]>(["workflow", "list"], env)).toEqual([]);
  });

  test("behind --db are copied to a store beside it", async () => {
    await using home = await workflowHome();
    const path = join(home.directory, "team.sqlite");
    await writeGoWorkflows(path, ROWS);
    const digest = async () =>
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    const before = await digest();
    expect(await list(home, "--db", "team.sqlite")).toHaveLength(3);
    const { snapshot } = await home.script("return 1;", { flags: ["--db", path] });
    expect(snapshot.run.status).toBe("completed");
    expect(await list(home, "--db", "team.sqlite")).toHaveLength(4);
    expect(existsSync(`${path}.pallium`)).toBe(true);
    expect(await list(home)).toEqual([]);
    expect(await digest()).toBe(before);
  });

  test("behind --db at the Go program's own place are those of the user's store", async () => {
    await using home = await goHome();
    expect(await list(home, "--db", goPath(home))).toHaveLength(3);
    expect(existsSync(`${goPath(home)}.pallium`)).toBe(false);
    expect(await list(home)).toHaveLength(3);
  });

  test("show in the decisions of a repository before any store is there", async () => {
    await using home = await workflowHome();
    const repo = join(home.directory, "repo");
    Bun.spawnSync(["git", "init", "-q", repo]);
    await writeGoWorkflows(
      goPath(home),
      [
        goRows("workflow_runs", { id: "r", cwd: repo }),
        goRows("workflow_decisions", { id: "d", run_id: "r", title: "Use queues" }),
      ].join("\n"),
    );
    Bun.spawnSync([
      "git",
      "-C",
      repo,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    ]);
    await home.pallium(["index"], { cwd: repo });
    const { stdout } = await home.pallium(["decisions", "queues", "--json"], { cwd: repo });
    expect(stdout).toContain("Use queues");
  });
});

describe("a database of the Go program that is not as it should be", () => {
  test("of an older version lacks columns and tables, and is copied", async () => {
    const old = GO_WORKFLOW_TABLES.slice(
      0,
      GO_WORKFLOW_TABLES.indexOf("CREATE TABLE workflow_phases"),
    )
      .replace("failures TEXT, ", "")
      .replaceAll(/ALTER.*;\n/g, "");
    await using home = await workflowHome();
    await mkdir(dirname(goPath(home)), { recursive: true });
    {
      using go = new Database(goPath(home), { create: true });
      go.run(old);
      go.run(goRows("workflow_runs", { id: "old", status: "running" }));
    }
    expect(await list(home)).toMatchObject([{ id: "old", status: "interrupted" }]);
  });

  test("has rows that are none: they are counted and left out", async () => {
    await using home = await goHome(
      [
        goRows("workflow_runs", { id: "good" }, { id: "bad", created_at: "yesterday" }),
        goRows("workflow_agents", { id: "a", run_id: "good", prompt: 5, status: "odd" }),
      ].join("\n"),
    );
    const { stdout, stderr } = await home.pallium(["workflow", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ id: "good" }]);
    expect(stderr).toBe(
      `copied 1 run of the Go program from ${goPath(home)}, which stays as it is; left out as damaged: 1 record\n`,
    );
    const { agents } = await home.json<Snapshot>(["workflow", "show", "good"]);
    expect(agents).toMatchObject([{ prompt: "5", status: "interrupted" }]);
  });

  test("is damaged: that is said once, and the command goes on", async () => {
    await using home = await goHome(
      goRows(
        "workflow_runs",
        ...Array.from({ length: 200 }, (_, n) => ({ id: `r${n}`, task: "x".repeat(500) })),
      ),
    );
    await truncate(goPath(home), 30_000);
    const ours = await home.script("return 1;");
    expect(ours.snapshot.run.status).toBe("completed");
    expect(ours.stderr).toContain(
      `not all of the Go program's records could be copied from ${goPath(home)}: the database is damaged`,
    );
    expect((await home.pallium(["workflow", "show", "wf-test"])).stderr).toBe("");
  });

  test("is locked by a process that writes: it is read all the same", async () => {
    await using home = await goHome();
    using go = new Database(goPath(home));
    go.run("PRAGMA journal_mode = DELETE");
    go.run("PRAGMA locking_mode = EXCLUSIVE");
    go.run("BEGIN EXCLUSIVE");
    expect(await list(home)).toHaveLength(3);
    go.run("ROLLBACK");
  });

  test("is no database, or has no workflows: nothing is said", async () => {
    await using home = await workflowHome();
    await mkdir(dirname(goPath(home)), { recursive: true });
    for (const content of ["", "no database at all"]) {
      await writeFile(goPath(home), content);
      const { stdout, stderr } = await home.pallium(["workflow", "list"]);
      expect([stdout, stderr]).toEqual(["No workflow runs found.\n", ""]);
    }
  });
});
