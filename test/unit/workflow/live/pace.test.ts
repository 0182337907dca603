/** How long a run was executed and what it costs a minute. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../../../src/platform/sqlite/database.ts";
import { paceOf } from "../../../../src/workflow/live/pace.ts";
import { WORKFLOW_MIGRATIONS } from "../../../../src/workflow/run/schema.ts";
import { tempDir } from "../../../support/temp.ts";

const NOW = new Date("2026-01-02T03:10:00.000Z");

/** Milliseconds that a run was executed, by its transitions: minute, kind, status. */
async function elapsed(...events: readonly [minute: number, type: string, status: string][]) {
  await using folder = await tempDir();
  using database = await openDatabase({
    path: join(folder.path, "store.sqlite"),
    migrations: WORKFLOW_MIGRATIONS,
  });
  await database.write((tx) => {
    for (const [at, [minute, type, status]] of events.entries()) {
      tx.run(
        "INSERT INTO workflow_events (run_id, seq, type, data, fence, created_at) VALUES ('r', ?, ?, ?, 1, ?)",
        at + 1,
        type,
        JSON.stringify({ status }),
        `2026-01-02T03:0${minute}:00.000Z`,
      );
    }
  });
  return paceOf(database, "r", NOW, 3);
}

const MINUTE_MS = 60_000;

test("time goes on while a run is executed", async () => {
  expect(await elapsed([4, "run", "running"])).toEqual({
    elapsed_ms: 6 * MINUTE_MS,
    spent_usd: 0,
    usd_per_minute: 0,
    agents_per_minute: 0.5,
  });
});

test.each<[string, [number, string, string][], number]>([
  [
    "pauses are left out",
    [
      [1, "run", "running"],
      [2, "run", "paused"],
      [7, "run", "running"],
      [9, "run", "completed"],
    ],
    3,
  ],
  [
    "a runner that was found dead later worked until it was last heard of",
    [
      [1, "run", "running"],
      [3, "settled", ""],
      [9, "run", "interrupted"],
    ],
    2,
  ],
  ["nothing has begun", [[1, "run", "queued"]], 0],
])("%s", async (_, events, minutes) => {
  expect((await elapsed(...events)).elapsed_ms).toBe(minutes * MINUTE_MS);
});
