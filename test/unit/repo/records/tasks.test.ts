import { expect, test } from "bun:test";
import type { Clock } from "../../../../src/platform/clock.ts";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import { openRecords, readRecords } from "../../../../src/repo/records/open.ts";
import { taskPlace } from "../../../../src/repo/records/task-place.ts";
import { clearTask, readTask, startTask, useTask } from "../../../../src/repo/records/tasks.ts";
import { taskStatus } from "../../../../src/repo/reports/task-status.ts";
import { holdRecords, recordsPowers } from "../../../support/records.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

const MAIN = taskPlace("main", "/r");
const at = (time: string): Clock => recordsPowers(`2026-12-02T${time}.000Z`).clock;
const placeOf = (dir: TempDir) => ({ dataFolder: dir.join("data"), canonicalRoot: dir.path });

async function withRecords(use: (database: Database) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const database = await openRecords(placeOf(dir), recordsPowers());
  try {
    await use(database);
  } finally {
    database.close();
  }
}

test("a task is shown until it is cleared (oracle 18)", () =>
  withRecords(async (database) => {
    const given = { goal: " tidy auth ", scope: ["a", "b/*.ts"] };
    const { task } = await startTask(database, MAIN, given, at("10:00:00"));
    expect(task).toEqual({
      goal: "tidy auth",
      scope: ["a", "b/*.ts"],
      startedAt: "2026-12-02T10:00:00.000Z",
      usedAt: "2026-12-02T10:00:00.000Z",
      expiresAt: "2026-12-02T14:00:00.000Z",
    });
    expect(readTask(database, MAIN, at("10:01:00"))).toEqual({ active: task });
    expect(await clearTask(database, MAIN, at("10:02:00"))).toEqual({ active: task });
    expect(readTask(database, MAIN, at("10:02:00"))).toEqual({});
    expect(await clearTask(database, MAIN, at("10:03:00"))).toEqual({});
  }));

test("each branch has a task of its own, and each detached worktree (repo D7, oracle 19)", () =>
  withRecords(async (database) => {
    const places = [
      taskPlace("main", "/r"),
      taskPlace("feature/a", "/r"),
      taskPlace(undefined, "/r"),
      taskPlace(undefined, "/r-linked"),
      taskPlace("HEAD", "/r"),
    ];
    for (const place of places) {
      await startTask(database, place, { goal: place, scope: [] }, at("10:00:00"));
    }
    const goals = places.map((place) => readTask(database, place, at("10:00:00")).active?.goal);
    expect(goals).toEqual(places);
    expect(taskPlace("main", "/r-linked")).toBe(MAIN);
  }));

test("a task that another replaces is handed back, so that it can be named (repo D7)", () =>
  withRecords(async (database) => {
    await startTask(database, MAIN, { goal: "first", scope: [] }, at("10:00:00"));
    const second = await startTask(database, MAIN, { goal: "second", scope: [] }, at("11:00:00"));
    expect(second.replaced?.goal).toBe("first");
    const third = await startTask(database, MAIN, { goal: "third", scope: [] }, at("23:00:00"));
    expect(third.replaced).toBeUndefined();
  }));

test("a task expires after its last use, not its start, and is said to have (repo D7, oracle 20)", () =>
  withRecords(async (database) => {
    await startTask(database, MAIN, { goal: "g", scope: ["a"] }, at("10:00:00"));
    await useTask(database, MAIN, at("13:59:00"));
    expect(readTask(database, MAIN, at("17:58:59")).active?.goal).toBe("g");
    const state = readTask(database, MAIN, at("17:59:00"));
    expect(state.active).toBeUndefined();
    expect(taskStatus(state)).toEqual({
      goal: "",
      scope_paths: [],
      started_at: "",
      expired: {
        goal: "g",
        scope_paths: ["a"],
        started_at: "2026-12-02T10:00:00.000Z",
        expired_at: "2026-12-02T17:59:00.000Z",
      },
    });
    await useTask(database, MAIN, at("18:00:00"));
    expect(readTask(database, MAIN, at("18:00:00")).active).toBeUndefined();
  }));

test("a use within the minute of the last one writes nothing", () =>
  withRecords(async (database) => {
    await startTask(database, MAIN, { goal: "g", scope: [] }, at("10:00:00"));
    await useTask(database, MAIN, at("10:00:59"));
    expect(readTask(database, MAIN, at("10:01:00")).active?.usedAt).toBe(
      "2026-12-02T10:00:00.000Z",
    );
  }));

test("a use does not wait for another process that writes (repo D2)", async () => {
  await using dir = await tempDir();
  const database = await openRecords(placeOf(dir), recordsPowers());
  await startTask(database, MAIN, { goal: "g", scope: [] }, at("10:00:00"));
  database.close();
  await using _writer = await holdRecords(dir.join("data/records.sqlite"));
  const records = await readRecords(placeOf(dir), recordsPowers());
  await useTask(records, MAIN, at("12:00:00"));
  expect(readTask(records, MAIN, at("12:00:00")).active?.usedAt).toBe("2026-12-02T10:00:00.000Z");
  records.close();
});

test("--expires sets the time, and one that is none is refused (repo U7)", () =>
  withRecords(async (database) => {
    const task = { goal: "g", scope: [], expires: "1h30m" };
    const started = await startTask(database, MAIN, task, at("10:00:00"));
    expect(started.task.expiresAt).toBe("2026-12-02T11:30:00.000Z");
    const refused = startTask(database, MAIN, { ...task, expires: "soon" }, at("10:00:00"));
    await expect(refused).rejects.toMatchObject({ code: "bad_duration", exitCode: 2 });
  }));

test("a task without a goal is refused", () =>
  withRecords(async (database) => {
    const refused = startTask(database, MAIN, { goal: " \t", scope: [] }, at("10:00:00"));
    await expect(refused).rejects.toMatchObject({ code: "task_goal_missing", exitCode: 2 });
  }));

test("an active task says until when", () =>
  withRecords(async (database) => {
    await startTask(database, MAIN, { goal: "g", scope: ["."] }, at("10:00:00"));
    expect(taskStatus(readTask(database, MAIN, at("10:00:00")))).toEqual({
      goal: "g",
      scope_paths: ["."],
      started_at: "2026-12-02T10:00:00.000Z",
      expires_at: "2026-12-02T14:00:00.000Z",
    });
  }));

test("tasks that nobody has used for months go when one is started (repo S9)", () =>
  withRecords(async (database) => {
    const long = recordsPowers("2026-08-01T10:00:00.000Z").clock;
    await startTask(database, taskPlace("gone", "/r"), { goal: "g", scope: [] }, long);
    await startTask(database, MAIN, { goal: "g", scope: [] }, at("10:00:00"));
    expect(database.all("SELECT place FROM tasks")).toEqual([{ place: MAIN }]);
  }));
