/** `workflow gc`: the files of old runs go, and with them all that hung on them; records stay. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectReport } from "../../src/workflow/gc/collect-runs.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const DAY_MS = 86_400_000;

const folderOf = (home: WorkflowHome, id: string) =>
  join(home.directory, ".pallium", "workflow-runs", id);

function inStore<T>(home: WorkflowHome, work: (store: Database) => T): T {
  using store = new Database(join(home.directory, ".pallium", "pallium.sqlite"));
  return work(store);
}

/** Lets a run have ended so many days ago, with another status where one is given. */
function age(home: WorkflowHome, id: string, days: number, status?: string): void {
  const then = new Date(Date.now() - days * DAY_MS).toISOString();
  inStore(home, (store) => {
    store.run(
      `UPDATE workflow_runs SET updated_at = ?, completed_at = iif(completed_at IS NULL, NULL, ?),
         status = coalesce(?, status) WHERE id = ?`,
      [then, then, status ?? null, id],
    );
  });
}

const gc = (home: WorkflowHome, ...flags: readonly string[]) =>
  home.json<CollectReport>(["workflow", "gc", ...flags]);
const idsOf = ({ removed }: CollectReport) => removed.map(({ id }) => id);

/** Runs of which each has five bytes in its folder. */
async function runsOfFiveBytes(home: WorkflowHome, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await home.script("return 1;", { id });
    await rm(folderOf(home, id), { recursive: true });
    await mkdir(folderOf(home, id));
    await writeFile(join(folderOf(home, id), "file"), "hello");
  }
}

describe("workflow gc", () => {
  test("collects what is done and old, the rest where it is told to (oracle 86)", async () => {
    await using home = await workflowHome();
    await runsOfFiveBytes(home, ["old-done", "new-done", "old-running", "old-failed"]);
    age(home, "old-done", 8);
    age(home, "old-running", 8, "running");
    age(home, "old-failed", 8, "failed");
    const oldDone = { id: "old-done", path: folderOf(home, "old-done"), bytes: 5 };
    expect(await gc(home, "--dry-run")).toEqual({
      removed: [oldDone],
      count: 1,
      bytes_freed: 5,
      skipped: [],
      dry_run: true,
    });
    expect(existsSync(oldDone.path)).toBe(true);
    const { stdout } = await home.pallium(["workflow", "gc"]);
    expect(stdout).toBe(
      `Workflow gc removed 1 run directories (5 bytes freed):\n- old-done (5 bytes) ${oldDone.path}\n`,
    );
    expect(existsSync(oldDone.path)).toBe(false);
    expect((await home.pallium(["workflow", "gc"])).stdout).toBe(
      "Workflow gc removed no run directories.\n",
    );
    expect(await gc(home)).toEqual({ removed: [], count: 0, bytes_freed: 0, skipped: [] });
    expect(idsOf(await gc(home, "--include-failed"))).toEqual(["old-failed"]);
    expect(await gc(home, "--stale", "--dry-run")).toMatchObject({
      reconciled: [{ run_id: "old-running", agents_reconciled: 0 }],
    });
    expect((await home.json<Snapshot>(["workflow", "show", "old-running"])).run.status).toBe(
      "interrupted",
    );
    expect(await gc(home, "--stale")).toMatchObject({ reconciled: [] });
    expect((await readdir(join(home.directory, ".pallium", "workflow-runs"))).sort()).toEqual([
      "new-done",
      "old-running",
    ]);
  });

  test("takes interrupted runs for what a resume could go on with, and paused ones for wanted (P8)", async () => {
    await using home = await workflowHome();
    await runsOfFiveBytes(home, ["cut", "paused", "stopped"]);
    age(home, "cut", 8, "interrupted");
    age(home, "paused", 8, "paused");
    age(home, "stopped", 8, "stopped");
    expect(idsOf(await gc(home))).toEqual(["stopped"]);
    expect(idsOf(await gc(home, "--older-than", "9", "--include-failed"))).toEqual([]);
    expect(idsOf(await gc(home, "--include-failed"))).toEqual(["cut"]);
    expect(existsSync(folderOf(home, "paused"))).toBe(true);
  });

  test("refuses an age that is none", async () => {
    await using home = await workflowHome();
    const { exitCode, stderr } = await home.pallium([
      "workflow",
      "gc",
      "--older-than=-1",
      "--json",
    ]);
    expect([exitCode, errorOf(stderr).code]).toEqual([2, "usage"]);
  });
});
