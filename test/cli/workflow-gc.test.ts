/** `workflow gc`: the files of old runs go, and with them all that hung on them; records stay. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { age, gc, idsOf, inStore, runsFolder } from "../support/old-runs.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Runs of which each has five bytes in its folder. */
async function runsOfFiveBytes(home: WorkflowHome, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await home.script("return 1;", { id });
    await rm(runsFolder(home, id), { recursive: true });
    await mkdir(runsFolder(home, id));
    await writeFile(join(runsFolder(home, id), "file"), "hello");
  }
}

describe("workflow gc", () => {
  test("collects what is done and old, the rest where it is told to (oracle 86)", async () => {
    await using home = await workflowHome();
    await runsOfFiveBytes(home, ["old-done", "new-done", "old-running", "old-failed"]);
    age(home, "old-done", 8);
    age(home, "old-running", 8, "running");
    age(home, "old-failed", 8, "failed");
    const oldDone = { id: "old-done", path: runsFolder(home, "old-done"), bytes: 5 };
    expect(await gc(home, "--dry-run")).toEqual({
      removed: [oldDone],
      count: 1,
      bytes_freed: 5,
      left_overs: [],
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
    expect(await gc(home)).toEqual({
      removed: [],
      count: 0,
      bytes_freed: 0,
      left_overs: [],
      skipped: [],
    });
    expect(idsOf(await gc(home, "--include-failed"))).toEqual(["old-failed"]);
    expect(await gc(home, "--stale", "--dry-run")).toMatchObject({
      reconciled: [{ run_id: "old-running", agents_reconciled: 0 }],
    });
    expect((await home.json<Snapshot>(["workflow", "show", "old-running"])).run.status).toBe(
      "interrupted",
    );
    expect(await gc(home, "--stale")).toMatchObject({ reconciled: [] });
    expect((await readdir(runsFolder(home))).sort()).toEqual(["new-done", "old-running"]);
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
    expect(existsSync(runsFolder(home, "paused"))).toBe(true);
  });

  test("believes a runner that cannot be seen from here for as long as it is told to", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    age(home, "wf-test", 8, "running");
    const elsewhere = { pid: 1, startTime: "1", bootId: "b", pidNamespace: "n", host: "h" };
    inStore(home, (store) => {
      store.run("UPDATE workflow_leases SET owner = ?, heartbeat_at = ?", [
        JSON.stringify(elsewhere),
        new Date(Date.now() - 5 * 60_000).toISOString(),
      ]);
    });
    const reconciled = async (...flags: readonly string[]) =>
      (await gc(home, "--stale", ...flags)).reconciled?.map(({ run_id }) => run_id);
    expect(await reconciled()).toEqual([]);
    expect(await reconciled("--stale-after-minutes", "0")).toEqual([]);
    expect(await reconciled("--stale-after-minutes", "4")).toEqual(["wf-test"]);
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
