import { expect, test } from "bun:test";
import { runChild } from "../support/child.ts";
import { childCommand, countOf, holdLock, increment, openCounter } from "../support/sqlite.ts";
import { tempDir } from "../support/temp.ts";

const PROCESSES = 8;

test("processes that open a fresh database at once all find it ready", async () => {
  await using dir = await tempDir();
  const path = dir.join("new", "folder", "fresh.sqlite");
  const opens = Array.from({ length: PROCESSES }, () => runChild(childCommand("migrate", path)));
  expect(await Promise.all(opens)).toEqual(Array(PROCESSES).fill({ user_version: 30 }));
});

test("eight writing processes lose no increment while a reader reads", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  let running = true;
  const writers = Promise.all(
    Array.from({ length: PROCESSES }, () =>
      runChild<number>(childCommand("increment", database.path)),
    ),
  ).finally(() => {
    running = false;
  });
  const seen: number[] = [];
  while (running) {
    seen.push(countOf(database) ?? Number.NaN);
    await new Promise(setImmediate);
  }
  const total = (await writers).reduce((sum, times) => sum + times, 0);
  expect(total).toBe(400);
  expect(countOf(database)).toBe(total);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(new Set(seen).size).toBeGreaterThan(10);
  database.close();
});

test("timers fire while a write waits for another process", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  await using holder = await holdLock(database.path);
  let waiting = true;
  const write = increment(database).finally(() => {
    waiting = false;
  });

  let last = performance.now();
  for (let ticks = 0; ticks < 40; ticks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performance.now() - last).toBeLessThan(500);
    last = performance.now();
  }
  expect(waiting).toBe(true);

  await holder.release();
  expect(await write).toBe(1);
  expect(countOf(database)).toBe(1);
  database.close();
});

test("writes that wait for another process keep the order of their calls", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const holder = await holdLock(database.path);
  const order: number[] = [];
  const writes = Array.from({ length: 20 }, (_, n) => database.write(() => order.push(n)));
  await holder.release();
  await Promise.all(writes);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  database.close();
});

test("a lock that outlasts the patience is database_locked, and the next write still works", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"), 50);
  const holder = await holdLock(database.path);
  await expect(increment(database)).rejects.toMatchObject({
    code: "database_locked",
    hints: [expect.any(String)],
  });
  await holder.release();
  expect(await increment(database)).toBe(1);
  database.close();
});

test("a database that is up to date opens and reads while another process writes", async () => {
  await using dir = await tempDir();
  const path = dir.join("counter.sqlite");
  (await openCounter(path)).close();
  await using _holder = await holdLock(path);
  const database = await openCounter(path, 0);
  expect(countOf(database)).toBe(0);
  database.close();
});

test("a writer that is killed leaves neither its lock nor its change", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const holder = await holdLock(database.path);
  await holder.kill();
  expect(await increment(database)).toBe(1);
  expect(countOf(database)).toBe(1);
  database.close();
});

test("the data version tells of writes by another process alone", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const before = database.dataVersion();
  await increment(database);
  expect(database.dataVersion()).toBe(before);
  await runChild(childCommand("increment", database.path));
  expect(database.dataVersion()).not.toBe(before);
  database.close();
});
