/** Folders of the runs of all stores lie beside each other: each is judged by the store that has its records (P8). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CollectReport } from "../../src/workflow/gc/collect-runs.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { editHome } from "../support/edit-runs.ts";
import { age, ageIn, gc, idsOf, runsFolder } from "../support/old-runs.ts";
import { workflowHome } from "../support/workflow.ts";

function ageAt(path: string, id: string, days: number, status?: string): void {
  using store = new Database(path);
  ageIn(store, id, days, status);
}

test("runs of other stores are collected with one's own, and say so there (P8)", async () => {
  await using home = await workflowHome();
  const other = join(home.directory, "other.sqlite");
  const inOther = { flags: ["--db", other] };
  await home.script("return 1;", { id: "own" });
  await home.script("return 1;", { id: "theirs", ...inOther });
  await home.script("return 1;", { id: "dead", ...inOther });
  age(home, "own", 8);
  ageAt(other, "theirs", 8);
  ageAt(other, "dead", 8, "running");
  const testing = { PALLIUM_TEST_DB: join(home.directory, "test.sqlite") };
  await home.script("return 1;", { id: "tried", env: testing });
  expect(idsOf(await home.json<CollectReport>(["workflow", "gc"], testing))).toEqual([]);
  const report = await gc(home, "--stale");
  expect(idsOf(report)).toEqual(["own", "theirs"]);
  expect(report.reconciled).toEqual([{ run_id: "dead", agents_reconciled: 0 }]);
  expect(existsSync(runsFolder(home, "theirs"))).toBe(false);
  const { run } = await home.json<Snapshot>(["workflow", "show", "theirs", "--db", other]);
  expect(run.collected_at).toBeDefined();
  ageAt(other, "dead", 8);
  expect(idsOf(await gc(home, "--db", other, "--include-failed"))).toEqual(["dead"]);
});

test("a folder that two stores know by one name belongs to the one that used it last", async () => {
  await using home = await workflowHome();
  const other = join(home.directory, "other.sqlite");
  await home.script("return 1;");
  age(home, "wf-test", 8);
  await home.script("return 2;", { flags: ["--db", other] });
  expect(idsOf(await gc(home))).toEqual([]);
  ageAt(other, "wf-test", 8);
  expect(idsOf(await gc(home, "--db", join(home.directory, ".pallium", "pallium.sqlite")))).toEqual(
    [],
  );
  expect(idsOf(await gc(home))).toEqual(["wf-test"]);
});

test("runs whose store is gone go where failed ones go, with what hangs on them", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const folder = join(home.directory, "disk");
  await Bun.write(join(folder, "keep"), "");
  const store = join(folder, "lost.sqlite");
  const source = `return await agent("edit", { mode: "edit", provider: "p" });`;
  await edits.script(source, { p: "exit 3" }, { flags: ["--db", store] });
  const worktrees = async () => (await repo.git("worktree", "list")).trim().split("\n").length;
  expect(await worktrees()).toBe(2);
  for (const end of ["", "-wal", "-shm"]) await rm(`${store}${end}`, { force: true });
  const all = ["--include-failed", "--older-than", "0"];
  expect(idsOf(await gc(home, "--older-than", "0"))).toEqual([]);
  expect(idsOf(await gc(home, "--include-failed"))).toEqual([]);
  expect(idsOf(await gc(home, ...all, "--dry-run"))).toEqual(["wf-test"]);
  await rm(folder, { recursive: true });
  expect(idsOf(await gc(home, ...all))).toEqual([]);
  await Bun.write(join(folder, "keep"), "");
  expect(idsOf(await gc(home, ...all))).toEqual(["wf-test"]);
  expect([existsSync(edits.runFile()), await worktrees(), existsSync(store)]).toEqual([
    false,
    1,
    false,
  ]);
});
