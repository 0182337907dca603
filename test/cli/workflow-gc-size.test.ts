/** `workflow gc --max-size`: the oldest runs that ended go until few enough bytes are left. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { editHome } from "../support/edit-runs.ts";
import { age, gc, idsOf, runsFolder } from "../support/old-runs.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Runs of which each has 1,000 bytes in its folder, the first being the oldest. */
async function runsOfOneKilobyte(home: WorkflowHome, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.entries()) {
    await home.script("return 1;", { id });
    await rm(runsFolder(home, id), { recursive: true });
    await mkdir(runsFolder(home, id));
    await writeFile(join(runsFolder(home, id), "file"), "x".repeat(1000));
    age(home, id, 5 - at / 10);
  }
}

describe("workflow gc --max-size", () => {
  test("takes the oldest first, says before what it would do, and stops when it is enough", async () => {
    await using home = await workflowHome();
    await runsOfOneKilobyte(home, ["first", "second", "third"]);
    const planned = await gc(home, "--max-size", "2K", "--dry-run");
    expect(outputs["workflow.gc"].parse(planned)).toEqual(planned);
    expect(planned).toMatchObject({
      ...{ count: 1, bytes_freed: 1000, max_bytes: 2048, bytes_kept: 2000, dry_run: true },
      removed: [{ id: "first", bytes: 1000 }],
    });
    expect(existsSync(runsFolder(home, "first"))).toBe(true);
    const { stdout, stderr } = await home.pallium(["workflow", "gc", "--max-size", "2000"]);
    expect(stdout).toBe(
      `Workflow gc removed 1 run directories (1000 bytes freed):\n- first (1000 bytes) ${runsFolder(home, "first")}\nWorkflow gc keeps 2000 bytes of at most 2000.\n`,
    );
    expect(stderr).toBe("");
    expect(idsOf(await gc(home, "--max-size", "2000"))).toEqual([]);
    expect(idsOf(await gc(home, "--max-size", "0"))).toEqual(["second", "third"]);
  });

  test("counts what goes for its age first", async () => {
    await using home = await workflowHome();
    await runsOfOneKilobyte(home, ["first", "second", "old"]);
    age(home, "old", 8);
    for (const flags of [["--dry-run"], []]) {
      const report = await gc(home, "--max-size", "1000", ...flags);
      expect(idsOf(report)).toEqual(["old", "first"]);
      expect(report.bytes_kept).toBe(1000);
    }
  });

  test("leaves what is paused, failed or interrupted, and says that more is left", async () => {
    await using home = await workflowHome();
    await runsOfOneKilobyte(home, ["paused", "failed", "cut", "done"]);
    age(home, "paused", 5, "paused");
    age(home, "failed", 5, "failed");
    age(home, "cut", 5, "interrupted");
    const { stdout, stderr } = await home.pallium(["workflow", "gc", "--max-size", "0", "--json"]);
    expect(idsOf(JSON.parse(stdout))).toEqual(["done"]);
    expect(stderr).toContain("more is left than --max-size");
    expect(idsOf(await gc(home, "--max-size", "0", "--include-failed")).toSorted()).toEqual([
      "cut",
      "failed",
    ]);
    expect(existsSync(runsFolder(home, "paused"))).toBe(true);
  });

  test("leaves runs whose edits are in no checkout, however old", async () => {
    await using edits = await editHome();
    const source = `await agent("edit", { mode: "edit", provider: "p" });`;
    const agents = { p: "echo four >> a.txt; echo done" };
    await edits.script(source, agents);
    await edits.json("workflow", "revert", "wf-test");
    expect(idsOf(await gc(edits.home, "--max-size", "0"))).toEqual([]);
    expect(existsSync(edits.runFile())).toBe(true);
    await edits.json("workflow", "apply", "wf-test");
    expect(idsOf(await gc(edits.home, "--max-size", "0"))).toEqual(["wf-test"]);
  });

  test.each(["", "much", "-1", "5X"])("refuses %p for a size", async (size) => {
    await using home = await workflowHome();
    const { exitCode, stderr } = await home.pallium([
      "workflow",
      "gc",
      `--max-size=${size}`,
      "--json",
    ]);
    expect([exitCode, errorOf(stderr).code]).toEqual([2, "usage"]);
  });
});
