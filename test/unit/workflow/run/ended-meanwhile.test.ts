/** A run that ends between the look at it and the write is left as it ended. */
import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import { endFromOutside } from "../../../../src/workflow/run/end-from-outside.ts";
import { acquireLease, releaseLease } from "../../../../src/workflow/run/lease.ts";
import { reconcileRuns } from "../../../../src/workflow/run/reconcile.ts";
import { addRun, openStore, withInterference } from "../../../support/store.ts";
import { tempDir } from "../../../support/temp.ts";

const clock = systemClock();

function complete(database: Database): Promise<unknown> {
  return database.write((tx) =>
    tx.run("UPDATE workflow_runs SET status = 'completed', result = 'kept' WHERE id = 'wf'"),
  );
}

const rowOf = (database: Database) =>
  database.get("SELECT status, result, error FROM workflow_runs WHERE id = 'wf'");

const eventsOf = (database: Database) => database.all("SELECT seq FROM workflow_events");

test.each(["stop", "pause"] as const)("by %s (oracle 42, C11)", async (action) => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await addRun(database, "wf", "running");
  const powers = { clock, runsDirectory: dir.path };
  const racing = withInterference(database, complete);
  expect(await endFromOutside(powers, racing, "wf", action)).toEqual({
    id: "wf",
    status: "completed",
    unchanged: true,
  });
  expect(rowOf(database)).toEqual({ status: "completed", result: "kept", error: null });
  expect(eventsOf(database)).toEqual([]);
  database.close();
});

test.each(["stop", "pause"] as const)(
  "by %s that its runner was asked for too late (oracle 42, C11)",
  async (action) => {
    await using dir = await tempDir();
    const database = await openStore(dir.join("store.sqlite"));
    await addRun(database, "wf", "running");
    const lease = await database.write((tx) => acquireLease(tx, "wf", clock));
    const ended = endFromOutside({ clock, runsDirectory: dir.path }, database, "wf", action);
    const asked = () => database.get("SELECT action FROM workflow_controls");
    while (asked() === undefined) await new Promise(setImmediate);
    await complete(database);
    await database.write((tx) => releaseLease(tx, lease));
    expect(await ended).toEqual({ id: "wf", status: "completed", unchanged: true });
    database.close();
  },
);

test("by the reports that mark dead runs", async () => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await addRun(database, "wf", "running");
  expect(await reconcileRuns(withInterference(database, complete), clock)).toEqual([]);
  expect(rowOf(database)).toEqual({ status: "completed", result: "kept", error: null });
  expect(eventsOf(database)).toEqual([]);
  database.close();
});

test("and a run that is really dead is marked, its calls too", async () => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await addRun(database, "wf", "running");
  expect(await reconcileRuns(database, clock)).toEqual([{ run_id: "wf", agents_reconciled: 0 }]);
  expect(rowOf(database)).toMatchObject({ status: "interrupted", error: "the runner died" });
  expect(eventsOf(database)).toEqual([{ seq: 1 }]);
  database.close();
});

test("and one that this very process executes is not, with an ancient heartbeat, looked at twenty times at once (oracle 72)", async () => {
  await using dir = await tempDir();
  const path = dir.join("store.sqlite");
  const database = await openStore(path);
  await addRun(database, "wf", "running");
  const lease = await database.write((tx) => acquireLease(tx, "wf", clock));
  await database.write((tx) =>
    tx.run("UPDATE workflow_leases SET heartbeat_at = '2020-01-01T00:00:00.000Z'"),
  );
  const others = await Promise.all(Array.from({ length: 20 }, () => openStore(path)));
  const looks = await Promise.all(others.map((other) => reconcileRuns(other, clock)));
  expect(looks.flat()).toEqual([]);
  expect(rowOf(database)).toMatchObject({ status: "running" });
  await database.write((tx) => releaseLease(tx, lease));
  for (const other of others) other.close();
  database.close();
});

test.each([
  ["an hour ago", 3_600_000],
  ["this moment", 0],
])(
  "and a row from %s that nobody ever claimed takes no room and is marked (oracle 72, C3)",
  async (_, age) => {
    await using dir = await tempDir();
    const database = await openStore(dir.join("store.sqlite"));
    await addRun(database, "wf", "queued");
    const at = new Date(Date.now() - age).toISOString();
    await database.write((tx) =>
      tx.run("UPDATE workflow_runs SET created_at = ?, updated_at = ?", at, at),
    );
    expect(await reconcileRuns(database, clock)).toEqual([{ run_id: "wf", agents_reconciled: 0 }]);
    expect(rowOf(database)).toMatchObject({ status: "interrupted" });
    database.close();
  },
);
