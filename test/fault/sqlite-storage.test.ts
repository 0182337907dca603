import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { type Database, openDatabase } from "../../src/platform/sqlite/database.ts";
import { unlessTorn } from "../../src/platform/sqlite/patience.ts";
import { runChild, withFileLimit } from "../support/child.ts";
import { COUNTER, childCommand, countOf, increment, openCounter } from "../support/sqlite.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const refused = (code: string) => ({ code, hints: [expect.stringMatching(/\w/)] });

async function withBlobs(path: string): Promise<Database> {
  const database = await openCounter(path);
  await database.write((tx) => {
    for (let row = 0; row < 20; row += 1) {
      tx.run("INSERT INTO blobs VALUES (?)", new Uint8Array(8192).fill(row + 1));
    }
  });
  return database;
}

test.each([
  ["garbage", (path: string) => writeFile(path, "no database at all\n".repeat(500))],
  ["cut off in its header", (path: string) => truncate(path, 50)],
  ["cut off in a page", (path: string) => truncate(path, 5000)],
  ["cut off between pages", (path: string) => truncate(path, 3 * 4096)],
])("a file that is %s is database_corrupt and left as it is", async (_name, damage) => {
  await using dir = await tempDir();
  const path = dir.join("damaged.sqlite");
  (await withBlobs(path)).close();
  await damage(path);
  const before = await readFile(path);

  await expect(openCounter(path)).rejects.toMatchObject(refused("database_corrupt"));
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(dir.path)).toEqual(["damaged.sqlite"]);
});

test("damage inside is database_corrupt when it is read or written", async () => {
  await using dir = await tempDir();
  const path = dir.join("damaged.sqlite");
  (await withBlobs(path)).close();
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xff, 4096));

  const database = await openCounter(path);
  expect(() => countOf(database)).toThrow(expect.objectContaining(refused("database_corrupt")));
  await expect(increment(database)).rejects.toMatchObject(refused("database_corrupt"));
  database.close();
});

test("damage that a migration meets is database_corrupt", async () => {
  await using dir = await tempDir();
  const path = dir.join("damaged.sqlite");
  (await withBlobs(path)).close();
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xff, 4096));
  const index = { version: 2, name: "index", sql: "CREATE INDEX sizes ON blobs(length(data))" };
  const opening = openDatabase({ path, migrations: [...COUNTER, index] });
  await expect(opening).rejects.toMatchObject(refused("database_corrupt"));
});

test("a file that only seemed damaged is looked at a second time", async () => {
  await using dir = await tempDir();
  await writeFile(dir.join("torn"), "no database at all\n".repeat(500));
  const files = [dir.join("torn"), dir.join("whole")];
  const look = async () => {
    using connection = new Connection(files.shift());
    return connection.query("SELECT count(*) AS objects FROM sqlite_schema").get();
  };
  expect(await unlessTorn(look)).toEqual({ objects: 0 });
  expect(files).toEqual([]);
});

test("a folder in place of the file is io_failed", async () => {
  await using dir = await tempDir();
  await expect(openCounter(dir.path)).rejects.toMatchObject(refused("io_failed"));
});

/** Makes `folder/counter.sqlite`, which the unprivileged user can reach. */
async function reachable(dir: TempDir): Promise<{ folder: string; path: string }> {
  await chmod(dir.path, 0o755);
  const folder = dir.join("folder");
  await mkdir(folder, { mode: 0o755 });
  const path = dir.join("folder", "counter.sqlite");
  const database = await openCounter(path);
  await increment(database);
  database.close();
  return { folder, path };
}

const unprivileged = (path: string) => runChild(childCommand("unprivileged", path));

test("a read-only file can be read; a write is database_readonly; nothing is left beside it", async () => {
  await using dir = await tempDir();
  const { folder, path } = await reachable(dir);
  await chmod(path, 0o444);
  await chmod(folder, 0o777);
  expect(await unprivileged(path)).toEqual({ read: 1, write: "database_readonly" });
  expect(await readdir(folder)).toEqual(["counter.sqlite"]);
});

test("a file in a read-only folder can be read; a write is database_readonly", async () => {
  await using dir = await tempDir();
  const { folder, path } = await reachable(dir);
  await chmod(path, 0o666);
  await chmod(folder, 0o555);
  expect(await unprivileged(path)).toEqual({ read: 1, write: "database_readonly" });
  await chmod(folder, 0o755);
});

test("reading a read-only file sees what a killed process had not merged into it", async () => {
  await using dir = await tempDir();
  const { folder, path } = await reachable(dir);
  const database = await openCounter(path);
  await increment(database);
  const crashed = dir.join("folder", "crashed.sqlite");
  for (const suffix of ["", "-wal", "-shm"]) {
    await copyFile(path + suffix, crashed + suffix);
    await chmod(crashed + suffix, 0o444);
  }
  database.close();
  await chmod(folder, 0o555);
  expect(await unprivileged(crashed)).toEqual({ read: 2, write: "database_readonly" });

  await chmod(folder, 0o755);
  await rm(`${crashed}-shm`);
  await chmod(folder, 0o555);
  expect(await unprivileged(crashed)).toMatchObject(refused("io_failed"));
  await chmod(folder, 0o755);
});

test("a new database in a read-only folder is database_readonly", async () => {
  await using dir = await tempDir();
  const { folder } = await reachable(dir);
  await chmod(folder, 0o555);
  const path = dir.join("folder", "new.sqlite");
  expect(await unprivileged(path)).toMatchObject(refused("database_readonly"));
  await chmod(folder, 0o755);
});

test("a read-only database that would have to be updated is database_readonly", async () => {
  await using dir = await tempDir();
  await chmod(dir.path, 0o755);
  const path = dir.join("old.sqlite");
  (await openDatabase({ path, migrations: [] })).close();
  await chmod(path, 0o444);
  expect(await unprivileged(path)).toMatchObject(refused("database_readonly"));
});

test("an unreadable file is permission_denied", async () => {
  await using dir = await tempDir();
  const { path } = await reachable(dir);
  await chmod(path, 0o000);
  expect(await unprivileged(path)).toMatchObject(refused("permission_denied"));
});

test("a full disk is disk_full; what was acknowledged is there, and reading goes on", async () => {
  await using dir = await tempDir();
  const path = dir.join("full.sqlite");
  const { written, ...failure } = await runChild<{ written: number }>(
    withFileLimit(2048, childCommand("fill", path)),
  );
  expect(failure).toMatchObject({ ...refused("disk_full"), readable: 0 });
  expect(written).toBeGreaterThan(0);

  const database = await openCounter(path);
  expect(database.get("SELECT count(*) AS n FROM blobs")).toEqual({ n: written });
  expect(database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  expect(await increment(database)).toBe(1);
  database.close();
});

test.each([0, 4, 12, 24, 48])(
  "a disk with no more than %i blocks for a new database is disk_full, which opens later",
  async (blocks) => {
    await using dir = await tempDir();
    const path = dir.join("full.sqlite");
    const outcome = await runChild(withFileLimit(blocks, childCommand("open", path)));
    expect(outcome).toMatchObject(refused("disk_full"));

    const database = await openCounter(path);
    expect(countOf(database)).toBe(0);
    database.close();
  },
);

test("a database at the largest size that SQLite allows it is disk_full", async () => {
  await using dir = await tempDir();
  const database = await openCounter(dir.join("full.sqlite"));
  database.get("PRAGMA max_page_count = 10");
  const write = database.write((tx) =>
    tx.run("INSERT INTO blobs VALUES (?)", new Uint8Array(100_000)),
  );
  await expect(write).rejects.toMatchObject(refused("disk_full"));
  expect(await increment(database)).toBe(1);
  database.close();
});
