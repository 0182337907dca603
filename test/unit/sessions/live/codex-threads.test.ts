/** Names of threads out of Codex's own database, which is left as it is. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { codexThreads } from "../../../../src/sessions/live/codex-threads.ts";
import { codexRecords, liveAgents, rolloutPath } from "../../../support/live-agents.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

function stateDatabase(home: TempDir, name: string, table: string, ...values: string[]): Database {
  const database = new Database(home.join(name));
  database.run("PRAGMA journal_mode = WAL");
  database.run(table);
  for (const value of values) database.run(`INSERT INTO threads VALUES (${value})`);
  return database;
}

const THREADS =
  "CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT, first_user_message TEXT, name TEXT)";

async function contents(home: TempDir): Promise<readonly string[]> {
  const names = (await readdir(home.path)).sort();
  const hashes = names.map(async (name) => {
    if (name.endsWith("-shm")) return name;
    return `${name} ${Bun.hash(await readFile(home.join(name)))}`;
  });
  return Promise.all(hashes);
}

test("the latest database counts, the user's name before Codex's, while Codex writes it", async () => {
  await using home = await tempDir();
  stateDatabase(home, "state_9.sqlite", THREADS, "'one', 'stale', '', NULL").close();
  using open = stateDatabase(
    home,
    "state_10.sqlite",
    THREADS,
    "'one', 'by Codex', 'ask', 'by me'",
    "'two', 'by Codex', 'ask', NULL",
    "'three', '', 'ask', NULL",
  );
  expect((await stat(home.join("state_10.sqlite-wal"))).size).toBeGreaterThan(0);
  const before = await contents(home);
  const threads = await codexThreads(home.path, ["one", "two", "three", "none"]);
  expect([...threads].map(([id, { title }]) => [id, title])).toEqual([
    ["one", "by me"],
    ["three", ""],
    ["two", "by Codex"],
  ]);
  expect(await contents(home)).toEqual(before);
  open.run("UPDATE threads SET name = 'renamed' WHERE id = 'one'");
  expect((await codexThreads(home.path, ["one"])).get("one")?.title).toBe("renamed");
});

test("a log that nobody has open is passed over, and no file is made for it", async () => {
  await using home = await tempDir();
  await using elsewhere = await tempDir();
  using open = stateDatabase(elsewhere, "state_5.sqlite", THREADS, "'one', 'merged', '', NULL");
  open.run("PRAGMA wal_checkpoint(TRUNCATE)");
  open.run("UPDATE threads SET title = 'in the log'");
  for (const name of ["state_5.sqlite", "state_5.sqlite-wal"]) {
    await writeFile(home.join(name), await readFile(elsewhere.join(name)));
  }
  const before = await contents(home);
  expect((await codexThreads(home.path, ["one"])).get("one")?.title).toBe("merged");
  expect(await contents(home)).toEqual(before);
});

test("weakness 14 of sessions: no database is made where none is, and one that is empty, broken or of another kind costs names only", async () => {
  await using agents = await liveAgents();
  const home = `${agents.directory}/.codex`;
  await agents.write(rolloutPath("one"), codexRecords("one", "fix it"));
  const titles = async () => (await agents.live(true)).map(({ title }) => title);
  expect(await titles()).toEqual(["fix it"]);
  expect(await readdir(home)).toEqual(["sessions"]);
  await writeFile(`${home}/state_7.sqlite`, "");
  await writeFile(
    `${home}/state_8.sqlite`,
    "no database, but longer than its header would be".repeat(9),
  );
  using other = new Database(`${home}/state_9.sqlite`);
  other.run("CREATE TABLE logs (process_uuid TEXT)");
  const before = (await readdir(home)).sort();
  expect(await titles()).toEqual(["fix it"]);
  expect((await readdir(home)).sort()).toEqual(before);
  expect((await stat(`${home}/state_7.sqlite`)).size).toBe(0);
  using threads = new Database(`${home}/state_5.sqlite`);
  threads.run("CREATE TABLE threads (id TEXT, title TEXT)");
  threads.run("INSERT INTO threads VALUES ('one', 'by Codex')");
  expect(await titles()).toEqual(["by Codex"]);
  other.run("CREATE TABLE threads (id TEXT, title TEXT)");
  other.run("INSERT INTO threads VALUES ('one', 'newer')");
  expect(await titles()).toEqual(["newer"]);
});
