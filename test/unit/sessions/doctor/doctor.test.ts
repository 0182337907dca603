/** What a look at session memory finds, each thing with what to do about it. */
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmod, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../../../src/platform/clock.ts";
import { openDatabase } from "../../../../src/platform/sqlite/database.ts";
import { createSecretScanner } from "../../../../src/secrets/scanner.ts";
import { sessionDoctor } from "../../../../src/sessions/doctor/doctor.ts";
import { copyGoSessions } from "../../../../src/sessions/go-database/copy-go-sessions.ts";
import { askForErasure } from "../../../../src/sessions/keeping/erase.ts";
import { forgetSessions } from "../../../../src/sessions/keeping/forget.ts";
import { pruneSessions } from "../../../../src/sessions/keeping/prune.ts";
import { SESSION_MIGRATIONS } from "../../../../src/sessions/store/schema.ts";
import { writeGoSessions } from "../../../support/go-sessions.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const open = (path: string) => openDatabase({ path, migrations: SESSION_MIGRATIONS });

async function look(
  index: TestIndex,
  goDatabases: readonly string[] = [],
  path = index.database.path,
) {
  const { directory } = index;
  const report = await sessionDoctor({
    path,
    open: () => open(path),
    homes: { codexHome: join(directory, "codex"), claudeHome: join(directory, "claude") },
    machine: "here",
    goDatabases,
  });
  for (const { next } of report.findings) expect(next).not.toBe("");
  return { ...report, codes: report.findings.map(({ code }) => code) };
}

/** A store in which all is well. */
async function well(): Promise<TestIndex> {
  const index = await testIndex();
  await index.place("codex", "session");
  await index.place("claude", "session");
  await index.index();
  await chmod(index.directory, 0o700);
  return index;
}

test("where all is well there is nothing to do", async () => {
  await using index = await well();
  const report = await look(index);
  expect(report).toMatchObject({
    exists: true,
    healthy: true,
    codes: [],
    sessions: 2,
    schema_version: SESSION_MIGRATIONS.length,
    newest_schema_version: SESSION_MIGRATIONS.length,
    transcripts: { known: 2, gone: 0, behind: 0 },
    homes: [
      { provider: "codex", exists: true, transcripts: 1 },
      { provider: "claude", exists: true, transcripts: 1 },
    ],
  });
  expect(report.bytes).toBe((await stat(index.database.path)).size);
});

test("a transcript of a session that another one holds is not behind until it is written", async () => {
  await using index = await well();
  const path = await index.place("claude", "session");
  const copy = await index.write(
    "claude/projects/elsewhere/copy.jsonl",
    await Bun.file(path).text(),
  );
  expect((await look(index)).codes).toEqual(["index_behind"]);
  expect(await index.index()).toMatchObject({ duplicates: 1 });
  expect((await look(index)).codes).toEqual([]);
  await writeFile(copy, "{}\n");
  expect((await look(index)).codes).toEqual(["index_behind"]);
});

test("without a store none is made, and the next step is to index", async () => {
  await using index = await testIndex();
  await index.place("codex", "session");
  const path = join(index.directory, "none", "sessions.sqlite");
  const report = await look(index, [], path);
  expect(report).toMatchObject({ exists: false, healthy: true, codes: ["index_behind"] });
  expect(report.findings[0]?.next).toBe("pallium sessions index");
  expect(await Bun.file(path).exists()).toBe(false);
});

test("weakness 25 of sessions: store, log and folder are their owner's alone, and it is said where not", async () => {
  await using index = await well();
  const { path } = index.database;
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  const made = join(index.directory, "made", "sessions.sqlite");
  (await open(made)).close();
  expect((await stat(dirname(made))).mode & 0o777).toBe(0o700);
  await chmod(path, 0o644);
  await chmod(`${path}-wal`, 0o640);
  await chmod(index.directory, 0o755);
  const { findings, healthy } = await look(index);
  expect(healthy).toBe(false);
  expect(findings.map(({ code, next }) => [code, next])).toEqual([
    ["access_too_wide", `chmod 700 '${index.directory}'`],
    ["access_too_wide", `chmod 600 '${path}'`],
    ["access_too_wide", `chmod 600 '${path}-wal'`],
  ]);
});

describe("what is damaged is named", () => {
  test("a file that is no store", async () => {
    await using index = await well();
    const path = join(index.directory, "other.sqlite");
    await writeFile(path, "no database at all, but long enough to be one ".repeat(40), {
      mode: 0o600,
    });
    expect(await look(index, [], path)).toMatchObject({
      healthy: false,
      codes: ["database_corrupt", "index_behind"],
    });
  });

  test.each([
    "sources",
    "erasures",
    "forgotten",
    "embedding_spaces",
    "copied_databases",
    "messages",
  ])("the table %s, and the rest is told all the same", async (name) => {
    await using index = await well();
    const { database } = index;
    database.all("PRAGMA wal_checkpoint(TRUNCATE)");
    const page = database.get<{ at: number; size: number }>(
      `SELECT (rootpage - 1) * page_size AS at, page_size AS size
         FROM sqlite_schema, pragma_page_size WHERE name = ?`,
      name,
    );
    database.close();
    const bytes = Buffer.from(await Bun.file(database.path).arrayBuffer());
    bytes.fill(0xa5, page?.at, (page?.at ?? 0) + (page?.size ?? 0));
    await writeFile(database.path, bytes);
    const report = await look(index, [join(index.directory, "go.sqlite")]);
    expect(report.codes).toContain("store_damaged");
    expect(report).toMatchObject({ exists: true, healthy: false, sessions: 2 });
    expect(report.homes.map(({ transcripts }) => transcripts)).toEqual([1, 1]);
  });

  test("pages and word indexes", async () => {
    await using index = await well();
    const { database } = index;
    const { path } = database;
    database.all("PRAGMA wal_checkpoint(TRUNCATE)");
    const raw = new Connection(path);
    raw.run("DELETE FROM message_words WHERE rowid = (SELECT min(key) FROM messages)");
    const roots = raw
      .query<{ name: string; at: number }, []>(
        "SELECT name, rootpage * page_size AS at FROM sqlite_schema, pragma_page_size",
      )
      .all();
    const end = (name: string) => roots.find((root) => root.name === name)?.at ?? 0;
    raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
    raw.close(true);
    database.close();
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
    for (const name of ["touches_path", "message_words_data"]) {
      bytes.fill(0xa5, end(name) - 600, end(name) - 20);
    }
    await writeFile(path, bytes);
    const { codes, findings } = await look(index);
    expect(codes).toContain("store_damaged");
    expect(codes).toContain("words_damaged");
    expect(codes).toContain("words_missing");
    expect(findings.find(({ code }) => code === "words_missing")?.what).toBe(
      "1 message cannot be found by words",
    );
  });
});

test("what is new, gone, malformed, unknown, or not erased to the end is counted", async () => {
  await using index = await well();
  const { database } = index;
  const gone = await index.place("claude", "helped");
  const odd = ['{"type":"telepathy","sessionId":"odd"}', "torn", ""].join("\n");
  await index.write("claude/projects/p/odd.jsonl", odd);
  await index.index();
  await rm(gone);
  const grown = await index.place("codex", "session");
  await utimes(grown, new Date(0), new Date(0));
  await index.place("codex", "fork");
  await database.write((tx) => askForErasure(tx, "2026-12-03T10:00:00.000Z"));
  expect(await look(index)).toMatchObject({
    healthy: false,
    codes: [
      "erasure_unfinished",
      "index_behind",
      "transcripts_gone",
      "malformed_lines",
      "unknown_records",
    ],
    transcripts: { known: 4, gone: 1, behind: 2, malformed_lines: 1, unknown_records: 1 },
  });
});

test("what was pruned or forgotten is not behind", async () => {
  await using index = await well();
  const { database } = index;
  const [session] = database.all<{ id: string }>(
    "SELECT id FROM sessions WHERE provider = 'codex'",
  );
  const asked = { ids: [session?.id ?? ""], confirmed: true };
  await forgetSessions(database, asked, { now: "", goDatabases: [] });
  await pruneSessions(database, { older_than: "2027-01-01T00:00:00.000Z" }, "");
  expect(await look(index)).toMatchObject({
    codes: [],
    sessions: 0,
    forgotten: 1,
    transcripts: { known: 0, behind: 0 },
  });
});

test("databases of the Go program are named with what became of them", async () => {
  await using index = await well();
  const { database, directory } = index;
  const [sound, torn] = [join(directory, "a.sqlite"), join(directory, "b.sqlite")];
  await writeGoSessions(sound, [{ id: "one" }, { id: "two" }]);
  await writeFile(torn, "SQLite format 3\0 and no more");
  const first = await look(index, [sound, torn]);
  expect(first).toMatchObject({
    healthy: true,
    codes: ["go_database_not_copied", "go_database_not_copied"],
  });
  const powers = {
    database,
    clock: systemClock(),
    scanner: createSecretScanner,
    machine: "here",
    notice: () => {},
  };
  for (const path of [sound, torn]) await copyGoSessions(powers, path);
  expect(await look(index, [sound, torn])).toMatchObject({
    healthy: false,
    codes: ["go_database_damaged"],
    go_databases: [
      { path: sound, copied: true, sessions: 2 },
      { path: torn, copied: false, sessions: 0 },
    ],
  });
});
