import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRecords, readRecords } from "../../../../src/repo/records/open.ts";
import { writeTree } from "../../../support/build.ts";
import { runChild } from "../../../support/child.ts";
import { writeGoDatabase } from "../../../support/go-database.ts";
import { holdRecords, recordsPowers } from "../../../support/records.ts";
import { testRepository } from "../../../support/repository.ts";
import { type TempDir, tempDir } from "../../../support/temp.ts";

const CHILD = join(import.meta.dir, "../../../support/records-child.ts");
const TASK =
  "INSERT INTO tasks (place, goal, scope, started_at, used_at, expires_after_ms) VALUES ('branch:main', ?, '[]', '', '', 0)";

const placeOf = (dir: TempDir) => ({ dataFolder: dir.join(".pallium"), canonicalRoot: dir.path });
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function record(dir: TempDir, goal: string): Promise<void> {
  const database = await openRecords(placeOf(dir), recordsPowers());
  await database.write((tx) => tx.run(TASK, goal));
  database.close();
}

/** What a process without the rights of root reads where the folder can be read only. */
async function readUnprivileged(dir: TempDir, locked: string): Promise<Record<string, unknown>> {
  await chmod(dir.path, 0o755);
  await chmod(locked, 0o555);
  try {
    return await runChild([process.execPath, CHILD, dir.join(".pallium")]);
  } finally {
    await chmod(locked, 0o755);
  }
}

test("records are readable by their owner alone (repo X13)", async () => {
  await using dir = await tempDir();
  const database = await openRecords(placeOf(dir), recordsPowers());
  await database.write((tx) => tx.run(TASK, "g"));
  expect(await modeOf(dir.join(".pallium"))).toBe(0o700);
  const names = (await readdir(dir.join(".pallium"))).sort();
  expect(names).toEqual([
    ".gitignore",
    "records.sqlite",
    "records.sqlite-shm",
    "records.sqlite-wal",
  ]);
  for (const name of names) expect(await modeOf(dir.join(".pallium", name))).toBe(0o600);
  database.close();
});

test("git sees saved workflows and nothing else of the folder (repo D4)", async () => {
  await using repo = await testRepository();
  await record(repo, "g");
  await repo.write({
    ".pallium/index.sqlite": "",
    ".pallium/sub/deep.txt": "",
    ".pallium/workflows/saved.js": "",
    ".pallium/workflows/team/other.js": "",
  });
  expect(await repo.git("ls-files", "--others", "--exclude-standard")).toBe(
    ".pallium/workflows/saved.js\n.pallium/workflows/team/other.js\n",
  );
});

test("an ignore file of the user's own stays", async () => {
  await using dir = await tempDir();
  await writeTree(dir.path, { ".pallium/.gitignore": "mine\n" });
  await record(dir, "g");
  expect(await Bun.file(dir.join(".pallium/.gitignore")).text()).toBe("mine\n");
});

test("reading makes nothing where there are no records (repo D4)", async () => {
  await using dir = await tempDir();
  const records = await readRecords(placeOf(dir), recordsPowers());
  expect(records.all("SELECT * FROM tasks")).toEqual([]);
  expect(records.get("SELECT * FROM verification_runs")).toBeUndefined();
  records.close();
  expect(await readdir(dir.path)).toEqual([]);
});

test("records are read while another process writes (repo D2)", async () => {
  await using dir = await tempDir();
  await record(dir, "g");
  await using _writer = await holdRecords(dir.join(".pallium/records.sqlite"));
  const records = await readRecords(placeOf(dir), recordsPowers());
  expect(records.all("SELECT goal FROM tasks")).toEqual([{ goal: "g" }]);
  records.close();
});

test("two that make the records at the same time both get them (repo D6)", async () => {
  await using dir = await tempDir();
  await Promise.all([record(dir, "a"), record(dir, "b")].map((made) => made.catch(() => {})));
  const records = await readRecords(placeOf(dir), recordsPowers());
  expect(records.all("SELECT goal FROM tasks")).toHaveLength(1);
  expect(records.get("PRAGMA user_version")).toEqual({ user_version: 1 });
  records.close();
});

test("records that can only be read are read (repo D4)", async () => {
  await using dir = await tempDir();
  await record(dir, "g");
  await chmod(dir.join(".pallium/records.sqlite"), 0o444);
  expect(await readUnprivileged(dir, dir.join(".pallium"))).toMatchObject({
    read: ["g"],
    notices: [],
  });
});

test("where nothing can be written, no records read as none, and writing says so", async () => {
  await using dir = await tempDir();
  expect(await readUnprivileged(dir, dir.path)).toEqual({
    read: [],
    written: "permission_denied",
    notices: [],
  });
});

test("records of the Go program that cannot be copied are said to be left out", async () => {
  await using dir = await tempDir();
  await writeGoDatabase(dir.join(".pallium/pallium.sqlite"), { roots: [dir.path] });
  expect(await readUnprivileged(dir, dir.join(".pallium"))).toMatchObject({
    read: [],
    notices: [expect.stringMatching(/^tasks and verification runs are left out: /)],
  });
});

test("records that were never finished read as none where they cannot be", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join(".pallium"));
  await writeFile(dir.join(".pallium/records.sqlite"), "");
  await chmod(dir.join(".pallium/records.sqlite"), 0o444);
  expect(await readUnprivileged(dir, dir.join(".pallium"))).toMatchObject({
    read: [],
    notices: [expect.stringContaining("records.sqlite")],
  });
});
