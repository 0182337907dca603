import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { openDatabase } from "../../../src/platform/sqlite/database.ts";
import type { Migration } from "../../../src/platform/sqlite/migrations.ts";
import { tempDir } from "../../support/temp.ts";

const FIRST: Migration = { version: 1, name: "notes", sql: "CREATE TABLE notes (text TEXT);" };
const SECOND: Migration = {
  version: 2,
  name: "authors",
  sql: "ALTER TABLE notes ADD COLUMN author TEXT; UPDATE notes SET author = 'nobody';",
};
const BROKEN: Migration = {
  version: 2,
  name: "broken half-way",
  sql: "ALTER TABLE notes ADD COLUMN author TEXT; INSERT INTO missing VALUES (1);",
};

test("a database is brought from its version to the current one, data kept", async () => {
  await using dir = await tempDir();
  const path = dir.join("notes.sqlite");
  const old = await openDatabase({ path, migrations: [FIRST] });
  await old.write((tx) => tx.run("INSERT INTO notes VALUES ('hello')"));
  old.close();

  const current = await openDatabase({ path, migrations: [FIRST, SECOND] });
  expect(current.all("SELECT * FROM notes")).toEqual([{ text: "hello", author: "nobody" }]);
  expect(current.get("PRAGMA user_version")).toEqual({ user_version: 2 });
  current.close();
});

test("a migration that fails is undone whole, the ones before it stay", async () => {
  await using dir = await tempDir();
  const path = dir.join("notes.sqlite");
  await expect(openDatabase({ path, migrations: [FIRST, BROKEN] })).rejects.toMatchObject({
    code: "migration_failed",
    message: expect.stringContaining("migration 2 (broken half-way)"),
  });

  const database = await openDatabase({ path, migrations: [FIRST] });
  expect(database.get("PRAGMA user_version")).toEqual({ user_version: 1 });
  expect(database.all("SELECT name FROM pragma_table_info('notes')")).toEqual([{ name: "text" }]);
  database.close();
});

test("a newer database is refused and stays as it is, byte for byte", async () => {
  await using dir = await tempDir();
  const path = dir.join("notes.sqlite");
  (await openDatabase({ path, migrations: [FIRST, SECOND] })).close();
  const before = await readFile(path);
  await expect(openDatabase({ path, migrations: [FIRST] })).rejects.toMatchObject({
    code: "database_newer",
    hints: [expect.stringContaining("update pallium")],
  });
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(dir.path)).toEqual(["notes.sqlite"]);
});

test("a newer database stays as it is also where a killed process left unmerged changes", async () => {
  await using dir = await tempDir();
  const database = await openDatabase({
    path: dir.join("notes.sqlite"),
    migrations: [FIRST, SECOND],
  });
  await database.write((tx) => tx.run("INSERT INTO notes VALUES ('hello', 'me')"));
  const crashed = dir.join("crashed.sqlite");
  for (const suffix of ["", "-wal"]) await copyFile(database.path + suffix, crashed + suffix);
  database.close();
  const contents = () => Promise.all(["", "-wal"].map((suffix) => readFile(crashed + suffix)));
  const before = await contents();
  await expect(openDatabase({ path: crashed, migrations: [FIRST] })).rejects.toMatchObject({
    code: "database_newer",
  });
  expect(await contents()).toEqual(before);

  const current = await openDatabase({ path: crashed, migrations: [FIRST, SECOND] });
  expect(current.all("SELECT text FROM notes")).toEqual([{ text: "hello" }]);
  current.close();
});

test.each(["DELETE", "WAL"])(
  "another program's database (%s) is refused and stays as it is",
  async (journal) => {
    await using dir = await tempDir();
    const path = dir.join("theirs.sqlite");
    const theirs = new Connection(path);
    theirs.run(`PRAGMA journal_mode = ${journal}`);
    theirs.run("CREATE TABLE theirs (x)");
    theirs.close(true);
    const before = await readFile(path);
    await expect(openDatabase({ path, migrations: [FIRST] })).rejects.toMatchObject({
      code: "database_corrupt",
      message: `the database belongs to another program: ${path}`,
    });
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(dir.path)).toEqual(["theirs.sqlite"]);
  },
);

test("an empty file becomes a database", async () => {
  await using dir = await tempDir();
  const path = dir.join("empty.sqlite");
  await writeFile(path, "");
  const database = await openDatabase({ path, migrations: [FIRST] });
  expect(database.all("SELECT * FROM notes")).toEqual([]);
  database.close();
});

test("migrations that are not numbered from 1 without gaps are a defect", async () => {
  await using dir = await tempDir();
  const path = dir.join("notes.sqlite");
  await expect(openDatabase({ path, migrations: [SECOND] })).rejects.toThrow("numbered");
  expect(await readdir(dir.path)).toEqual([]);
});
