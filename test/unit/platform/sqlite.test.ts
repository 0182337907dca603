import { SQLiteError } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { PalliumError } from "../../../src/lib/errors.ts";
import { openDatabase } from "../../../src/platform/sqlite/database.ts";
import { COUNTER, countOf, increment, openCounter } from "../../support/sqlite.ts";
import { tempDir } from "../../support/temp.ts";

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("a new database, its folder and the files beside it are for the owner alone", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("a", "b", "counter.sqlite"));
  await increment(database);
  expect(await mode(dir.join("a"))).toBe("700");
  expect(await mode(dir.join("a", "b"))).toBe("700");
  const files = (await readdir(dir.join("a", "b"))).sort();
  expect(files).toEqual(["counter.sqlite", "counter.sqlite-shm", "counter.sqlite-wal"]);
  for (const file of files) expect(await mode(dir.join("a", "b", file))).toBe("600");
  database.close();
});

test("the connection keeps a write-ahead log, checks foreign keys and syncs as asked", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  expect(database.get("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
  expect(database.get("PRAGMA foreign_keys")).toEqual({ foreign_keys: 1 });
  expect(database.get("PRAGMA synchronous")).toEqual({ synchronous: 2 });
  expect(database.get("PRAGMA fullfsync")).toEqual({ fullfsync: 1 });
  database.close();
});

test("a file that is made has the pages that are asked for, one that is there keeps its own", async () => {
  await using dir = await tempDir();
  const path = dir.join("counter.sqlite");
  for (const pageBytes of [16_384, 8192]) {
    const megabyte = 1024 ** 2;
    const options = { path, migrations: COUNTER, pageBytes, workingBytes: megabyte };
    const database = await openDatabase(options);
    await increment(database);
    expect(database.get("PRAGMA page_size")).toEqual({ page_size: 16_384 });
    // So many pages of the log are as many bytes.
    expect(database.get("PRAGMA wal_autocheckpoint")).toEqual({ wal_autocheckpoint: 64 });
    database.close();
  }
});

test("reads return rows, the first row, or undefined", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  expect(database.all("SELECT ? AS a UNION SELECT ? ORDER BY a", 2, 1)).toEqual([
    { a: 1 },
    { a: 2 },
  ]);
  expect(database.get("SELECT ? AS a, ? AS b", "x", null)).toEqual({ a: "x", b: null });
  expect(database.get("SELECT 1 WHERE 0")).toBeUndefined();
  expect(database.all("SELECT 1 WHERE 0")).toEqual([]);
  expect(() => database.get("SELECT ? AS a")).toThrow("0 parameters given");
  database.close();
});

test("more different statements than are kept all work, and so do the first again", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const read = (n: number) => database.get<{ n: number }>(`SELECT ${n} AS n`)?.n;
  expect(numbers.map(read)).toEqual(numbers);
  expect(numbers.map(read)).toEqual(numbers);
  database.close();
});

test("writes happen in the order of their calls, whether earlier ones fail or not", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const order: number[] = [];
  const writes = Array.from({ length: 20 }, (_, n) =>
    database.write((tx) => {
      order.push(n);
      if (n % 3 === 0) throw new Error(`no ${n}`);
      return tx.run("UPDATE counter SET n = n + 1").changes;
    }),
  );
  const outcomes = (await Promise.allSettled(writes)).map(({ status }) => status);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(outcomes).toEqual(order.map((n) => (n % 3 === 0 ? "rejected" : "fulfilled")));
  expect(countOf(database)).toBe(13);
  database.close();
});

test("work that throws changes nothing, and its error arrives as it was thrown", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const thrown = new PalliumError("lease_lost", "another process took over");
  const write = database.write((tx) => {
    tx.run("UPDATE counter SET n = 7");
    expect(tx.get("SELECT n FROM counter")).toEqual({ n: 7 });
    throw thrown;
  });
  expect(await write.catch((error) => error)).toBe(thrown);
  expect(countOf(database)).toBe(0);
  database.close();
});

test("a violated constraint undoes the whole transaction and stays SQLite's error", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const write = database.write((tx) => {
    tx.run("UPDATE counter SET n = 7");
    tx.run("INSERT INTO counter VALUES (NULL)");
  });
  expect(await write.catch((error) => error)).toBeInstanceOf(SQLiteError);
  expect(countOf(database)).toBe(0);
  database.close();
});

test("asynchronous work is refused and changes nothing", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  const write = database.write(async (tx) => tx.run("UPDATE counter SET n = 7"));
  await expect(write).rejects.toThrow("synchronous");
  expect(countOf(database)).toBe(0);
  database.close();
});

test("two connections of one process do not lose each other's writes", async () => {
  await using dir = await tempDir();
  const path = dir.join("counter.sqlite");
  const databases = await Promise.all([openCounter(path), openCounter(path)]);
  await Promise.all(
    databases.flatMap((database) => Array.from({ length: 50 }, () => increment(database))),
  );
  expect(databases.map(countOf)).toEqual([100, 100]);
  for (const database of databases) database.close();
});

test("a closed database refuses writes, those in the queue too, and leaves one file", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("counter.sqlite"));
  await increment(database);
  const queued = increment(database);
  database.close();
  database.close();
  await expect(queued).rejects.toMatchObject({ code: "database_closed" });
  await expect(increment(database)).rejects.toMatchObject({ code: "database_closed" });
  expect(await readdir(dir.path)).toEqual(["counter.sqlite"]);

  const again = await openCounter(database.path);
  expect(countOf(again)).toBe(1);
  again.close();
});
