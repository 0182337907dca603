import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRecords, readRecords } from "../../../../src/repo/records/open.ts";
import { writeGoDatabase } from "../../../support/go-database.ts";
import { recordsPowers } from "../../../support/records.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

const TASK = "INSERT INTO active_tasks (repo_id, branch, goal, scope_paths, started_at) VALUES";
const RUN = `INSERT INTO verification_runs
  (repo_id, tier, command, exit_code, duration_ms, changed_files_json, cwd, ran_at) VALUES`;
const RECORDS = `
  ${TASK} (1, 'main', 'tidy auth', '["internal/auth"]', '2026-09-01T10:00:00Z'),
          (1, 'HEAD', 'bisect', '["."]', '2026-09-02T10:00:00Z'),
          (2, 'main', 'of another repository', '[]', '2026-09-01T10:00:00Z');
  ${RUN} (1, 'fast', 'go test .', 0, 1200, '["a.go"]', '/r', '2026-09-01T11:00:00Z'),
         (2, 'fast', 'of another repository', 0, 1, '[]', '/o', '2026-09-01T11:00:00Z'),
         (1, 'full', 'go test ./...', 1, 9000, 'null', '/r', '2026-09-01T12:00:00+02:00');`;

const placeOf = (dir: TempDir) => ({ dataFolder: dir.join(".pallium"), canonicalRoot: dir.path });

/** Names and bytes of everything that lies where the Go program keeps its database. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.sqlite/.test(name)).sort();
  const own = names.filter((name) => !name.startsWith("records"));
  const bytes = own.map(async (name) => [name, (await readFile(join(folder, name))).toBase64()]);
  return Object.fromEntries(await Promise.all(bytes));
}

for (const killed of [undefined, "wal", "journal"] as const) {
  const where = killed === undefined ? "" : `, killed with a ${killed} beside it,`;
  test(`what the Go program recorded${where} is copied once, its files unchanged (repo D6)`, async () => {
    await using dir = await tempDir();
    const place = placeOf(dir);
    const path = dir.join(".pallium/pallium.sqlite");
    await writeGoDatabase(path, {
      roots: [dir.path, "/other"],
      sql: RECORDS,
      ...(killed && { killed }),
    });
    const before = await bytesIn(place.dataFolder);
    const logs = Object.keys(before).filter((name) => /-(?:wal|journal)$/.test(name));
    expect(logs).toEqual(killed === undefined ? [] : [`pallium.sqlite-${killed}`]);

    const powers = recordsPowers();
    for (let times = 0; times < 2; times += 1) {
      const database = await openRecords(place, powers);
      expect(
        database.all("SELECT place, goal, scope, started_at, used_at FROM tasks ORDER BY place"),
      ).toEqual([
        {
          place: "branch:main",
          goal: "tidy auth",
          scope: '["internal/auth"]',
          started_at: "2026-09-01T10:00:00.000Z",
          used_at: "2026-09-01T10:00:00.000Z",
        },
        {
          place: `worktree:${dir.path}`,
          goal: "bisect",
          scope: '["."]',
          started_at: "2026-09-02T10:00:00.000Z",
          used_at: "2026-09-02T10:00:00.000Z",
        },
      ]);
      const runs =
        "SELECT tier, command, argv, exit_code, duration_ms, changed_files, cwd, ran_at, head FROM verification_runs ORDER BY id";
      expect(database.all(runs)).toEqual([
        {
          tier: "fast",
          command: "go test .",
          argv: "[]",
          exit_code: 0,
          duration_ms: 1200,
          changed_files: '["a.go"]',
          cwd: "/r",
          ran_at: "2026-09-01T11:00:00.000Z",
          head: null,
        },
        {
          tier: "full",
          command: "go test ./...",
          argv: "[]",
          exit_code: 1,
          duration_ms: 9000,
          changed_files: "[]",
          cwd: "/r",
          ran_at: "2026-09-01T10:00:00.000Z",
          head: null,
        },
      ]);
      await database.write((tx) => tx.run("UPDATE tasks SET goal = goal"));
      database.close();
    }
    expect(powers.notices).toEqual([
      `copied tasks (2) and verification runs (2) from ${path}, which stays as it is`,
    ]);
    expect(await bytesIn(place.dataFolder)).toEqual(before);
  });
}

test("the older place of the database counts where the newer is missing, and is named (repo D9)", async () => {
  await using dir = await tempDir();
  const legacy = dir.join(".codex-memory/codex-memory.sqlite");
  await writeGoDatabase(legacy, { roots: [dir.path], sql: RECORDS });
  const powers = recordsPowers();
  const records = await readRecords(placeOf(dir), powers);
  expect(records.all("SELECT goal FROM tasks")).toHaveLength(2);
  records.close();
  expect(powers.notices).toEqual([expect.stringContaining(legacy)]);
});

test("a task from before tasks had branches counts for the branch that was indexed", async () => {
  await using dir = await tempDir();
  await writeGoDatabase(dir.join(".pallium/pallium.sqlite"), {
    roots: [dir.path],
    tasksHaveBranches: false,
    sql: `INSERT INTO active_tasks VALUES (1, 'old shape', '["a"]', '2026-03-01T10:00:00Z')`,
  });
  const records = await readRecords(placeOf(dir), recordsPowers());
  expect(records.all("SELECT place, goal FROM tasks")).toEqual([
    { place: "branch:main", goal: "old shape" },
  ]);
  records.close();
});

test("the records of a checkout that has been moved come along (repo D3)", async () => {
  await using dir = await tempDir();
  await writeGoDatabase(dir.join(".pallium/pallium.sqlite"), {
    roots: ["/where/it/was"],
    sql: `${TASK} (1, 'main', 'g', '[]', '2026-09-01T10:00:00Z')`,
  });
  const records = await readRecords(placeOf(dir), recordsPowers());
  expect(records.all("SELECT goal FROM tasks")).toHaveLength(1);
  records.close();
});

test("rows that are no records are left out, and said to be", async () => {
  await using dir = await tempDir();
  await writeGoDatabase(dir.join(".pallium/pallium.sqlite"), {
    roots: [dir.path],
    sql: `${TASK} (1, 'main', 'g', '[1, "a", null', 'yesterday'), (1, 'b', 'h', '[1, "a"]', '2026-09-01T10:00:00Z');
      ${RUN} (1, 'fast', X'00ff', 0, 'long', '[]', '/r', '2026-09-01T11:00:00Z');`,
  });
  const powers = recordsPowers();
  const records = await readRecords(placeOf(dir), powers);
  expect(records.all("SELECT goal, scope FROM tasks")).toEqual([{ goal: "h", scope: '["a"]' }]);
  records.close();
  expect(powers.notices).toEqual([
    expect.stringMatching(/^copied tasks \(1\) and verification runs \(0\) .*: 2$/),
  ]);
});

for (const [what, reason, content] of [
  ["damaged", "the database is damaged, or no database", "SQLite format 3\0 and nothing that fits"],
  ["of another program", "no such table: repos", undefined],
] as const) {
  test(`a file in its place that is ${what} is named and left alone`, async () => {
    await using dir = await tempDir();
    const path = dir.join(".pallium/pallium.sqlite");
    await writeGoDatabase(path, { roots: [], sql: "DROP TABLE repos" });
    if (content !== undefined) await writeFile(path, content);
    const before = await bytesIn(dir.join(".pallium"));
    const powers = recordsPowers();
    const database = await openRecords(placeOf(dir), powers);
    expect(database.all("SELECT * FROM tasks")).toEqual([]);
    database.close();
    expect(powers.notices).toEqual([expect.stringContaining(`copied from ${path}: ${reason}`)]);
    expect(await bytesIn(dir.join(".pallium"))).toEqual(before);
  });
}
