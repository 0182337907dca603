import { expect, test } from "bun:test";
import { type Database, openDatabase } from "../../../../src/platform/sqlite/database.ts";
import { RECORDS_MIGRATIONS } from "../../../../src/repo/records/schema.ts";
import {
  hasPassed,
  KEPT_RUNS,
  latestRuns,
  type NewVerificationRun,
  recordRun,
  standingRuns,
} from "../../../../src/repo/verification/records.ts";
import { tempDir } from "../../../support/temp.ts";

const RUN: NewVerificationRun = {
  tier: "fast",
  command: "go test .",
  argv: ["go", "test", "."],
  cwd: "",
  exit_code: 0,
  duration_ms: 12,
  changed_files: ["main.go"],
  ran_at: "2026-12-02T07:00:00.000Z",
  head: "aaa",
  tree_hash: "t1",
  dirty: true,
  branch: "main",
  worktree: "/repo",
  output: "ok\n",
  interrupted: false,
  timed_out: false,
};

async function withRecords(work: (database: Database) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const database = await openDatabase({
    path: dir.join("records.sqlite"),
    migrations: RECORDS_MIGRATIONS,
  });
  try {
    await work(database);
  } finally {
    database.close();
  }
}

test("a run is read back as it was recorded, output included (oracle 22, repo X9)", async () => {
  await withRecords(async (database) => {
    const id = await recordRun(database, RUN);
    expect(id).toBeGreaterThan(0);
    expect(latestRuns(database, 5)).toEqual([{ id, ...RUN }]);
  });
});

test("an interrupted run leaves a record (repo X8)", async () => {
  await withRecords(async (database) => {
    await recordRun(database, { ...RUN, exit_code: 130, interrupted: true });
    expect(latestRuns(database, 5)).toMatchObject([{ interrupted: true, exit_code: 130 }]);
    expect(standingRuns(database, {})).toEqual([]);
  });
});

test("the newest come first, as many as asked for", async () => {
  await withRecords(async (database) => {
    for (const hour of ["05", "07", "06"]) {
      await recordRun(database, { ...RUN, ran_at: `2026-12-02T${hour}:00:00.000Z` });
    }
    const hours = latestRuns(database, 2).map(({ ran_at }) => ran_at.slice(11, 13));
    expect(hours).toEqual(["07", "06"]);
  });
});

test("a pass elsewhere does not hide a failure here, nor the other way round (repo C17)", async () => {
  await withRecords(async (database) => {
    await recordRun(database, { ...RUN, exit_code: 1, ran_at: "2026-12-02T07:00:00.000Z" });
    await recordRun(database, {
      ...RUN,
      head: "bbb",
      tree_hash: "t2",
      worktree: "/other",
      ran_at: "2026-12-02T08:00:00.000Z",
    });
    expect(standingRuns(database, { tree: "t1" }).map(hasPassed)).toEqual([false]);
    expect(standingRuns(database, { head: "aaa", tree: "t1" }).map(hasPassed)).toEqual([false]);
    expect(standingRuns(database, { tree: "t2" }).map(hasPassed)).toEqual([true]);
    expect(latestRuns(database, 5, { head: "aaa", tree: "t2" })).toEqual([]);
  });
});

test("of every command the newest run stands, so one that passed does not hide another", async () => {
  await withRecords(async (database) => {
    await recordRun(database, { ...RUN, exit_code: 1 });
    await recordRun(database, { ...RUN, command: "pytest", argv: ["pytest"] });
    const failed = () => standingRuns(database, {}).filter((run) => !hasPassed(run));
    expect(failed().map(({ command }) => command)).toEqual(["go test ."]);
    await recordRun(database, RUN);
    expect(failed()).toEqual([]);
  });
});

test("old runs make room for new ones (repo S9)", async () => {
  await withRecords(async (database) => {
    await database.write((tx) => {
      tx.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO verification_runs (tier, command, argv, cwd, exit_code, duration_ms, changed_files, ran_at)
         SELECT 'fast', 'old', '[]', '', 0, 1, '[]', '2020-01-01T00:00:00.000Z' FROM n`,
        KEPT_RUNS,
      );
    });
    await recordRun(database, RUN);
    const runs = latestRuns(database, KEPT_RUNS * 2);
    expect(runs).toHaveLength(KEPT_RUNS);
    expect(runs[0]?.command).toBe("go test .");
    expect(runs[1]).toMatchObject({ command: "old", head: null, dirty: null, output: "" });
  });
});
