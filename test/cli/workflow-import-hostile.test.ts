/** `workflow import` of files that are damaged, or that somebody made to do harm: nothing of them stays. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entry, manifestOf, readEntries, writeEntries } from "../support/archives.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { inStore, runsFolder } from "../support/old-runs.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const SOURCE = `phase("look"); return agent("edit", { mode: "edit", provider: "p", label: "l" });`;

let edits: EditHome;
let home: WorkflowHome;
let good: Entry[];
let file: string;

beforeAll(async () => {
  edits = await editHome();
  home = await workflowHome();
  await edits.script(SOURCE, { p: "echo four >> a.txt; echo done" });
  await edits.json("workflow", "export", "wf-test");
  good = await readEntries(edits.repo.join("wf-test.pallium.tar.gz"));
  file = join(home.directory, "run.tgz");
}, 60_000);

afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await edits[Symbol.asyncDispose]();
});

async function importFile() {
  const { exitCode, stderr } = await home.pallium(["workflow", "import", file, "--json"]);
  return { exitCode, error: exitCode === 0 ? undefined : errorOf(stderr) };
}

/** Nothing of it is in the store, among the runs or anywhere else. */
async function expectNothing(): Promise<void> {
  const count = (table: string) =>
    inStore(
      home,
      (store) => store.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
    );
  for (const table of ["runs", "calls", "events", "artifacts", "removals", "decisions"]) {
    expect([table, count(`workflow_${table}`)]).toEqual([table, 0]);
  }
  expect(await readdir(runsFolder(home))).toEqual([]);
  // Bun keeps what it compiled at home.
  const names = (await readdir(home.directory)).filter((name) => name !== ".bun");
  expect(names.sort()).toEqual([".pallium", "run.tgz"]);
}

const replaced = (name: RegExp, change: (text: string) => string): Entry[] =>
  good.map((entry) => (name.test(entry.name) ? { ...entry, text: change(entry.text) } : entry));
const file_ = (name: string, type?: string): Entry => ({
  name: `files/${name}`,
  text: type === undefined ? "x" : "",
  ...(type === undefined ? {} : { type }),
});
const row = (table: string, change: (row: Record<string, unknown>) => object): Entry[] =>
  replaced(new RegExp(`^rows/${table}/`), (text) => {
    const [first = "{}", ...rest] = text.split("\n");
    return [JSON.stringify(change(JSON.parse(first))), ...rest].join("\n");
  });

const HOSTILE: readonly (readonly [string, () => Entry[]])[] = [
  ["a file above", () => [...good, file_("../../../up")]],
  ["a file at an absolute path", () => [...good, file_("/tmp/pallium-import-up")]],
  ["a file behind a dot", () => [...good, file_("./x")]],
  ["an entry outside of all that is known", () => [...good, { name: "up", text: "x" }]],
  ["a symbolic link", () => [...good, file_("patches/link", "2")]],
  ["a hard link", () => [...good, file_("patches/link", "1")]],
  ["a device", () => [...good, file_("patches/null", "3")]],
  ["a folder", () => [...good, file_("patches/x", "5")]],
  ["a file twice", () => [...good, file_("workflow.js")]],
  ["a file in the place of a folder", () => [...good, file_("patches")]],
  ["a working tree", () => [...good, file_("worktrees/a/.git")]],
  ["objects from elsewhere", () => [...good, file_("objects/k/info/alternates")]],
  ["the id of a process", () => [...good, file_("calls/a/pid")]],
  ["a note of whose it is", () => [...good, file_("run.json")]],
  [
    "a table that is not exported",
    () => [...good, { name: "rows/workflow_triggers/000001.jsonl", text: "{}\n" }],
  ],
  ["a column that is not there", () => row("workflow_runs", (run) => ({ ...run, evil: 1 }))],
  [
    "a command in a column that stays behind",
    () =>
      replaced(/^rows\/workflow_runs/, (text) =>
        text.replace('"task"', '"no_such":"touch x","task"'),
      ),
  ],
  ["a row of another run", () => row("workflow_calls", (call) => ({ ...call, run_id: "other" }))],
  [
    "a call whose id leads elsewhere",
    () => row("workflow_calls", (call) => ({ ...call, id: "../../up" })),
  ],
  [
    "a patch that lies elsewhere",
    () => row("workflow_calls", (call) => ({ ...call, patch_path: "../../../etc/passwd" })),
  ],
  [
    "a receipt whose patch lies elsewhere",
    () => row("workflow_calls", (call) => ({ ...call, receipt_json: '{"patch":"../up"}' })),
  ],
  ["an object for a value", () => row("workflow_runs", (run) => ({ ...run, task: { a: 1 } }))],
  [
    "a text where a number belongs",
    () => row("workflow_runs", (run) => ({ ...run, retries: "many" })),
  ],
  ["no task", () => row("workflow_runs", ({ task: _gone, ...run }) => run)],
  ["a row that is no JSON", () => replaced(/^rows\/workflow_phases/, () => "{\n")],
  ["no run", () => good.filter(({ name }) => !name.startsWith("rows/workflow_runs"))],
  ["a text under another hash", () => replaced(/^texts\//, (text) => `${text}!`)],
  [
    "another format",
    () => replaced(/^pallium-run/, () => '{"format":"other","version":1,"id":"a"}'),
  ],
  ["no header", () => good.slice(1)],
];

describe("an import", () => {
  test("of what was exported succeeds, so that refusals below are for their reasons", async () => {
    await writeEntries(file, good);
    expect(await importFile()).toEqual({ exitCode: 0, error: undefined });
    expect((await home.pallium(["workflow", "delete", "wf-test", "--force"])).exitCode).toBe(0);
    inStore(home, (store) => store.run("DELETE FROM workflow_leases"));
    await expectNothing();
  });

  test.each(HOSTILE)("refuses %s", async (_name, entries) => {
    await writeEntries(file, entries());
    const { exitCode, error } = await importFile();
    expect([exitCode, error?.code]).toEqual([1, "archive_invalid"]);
    await expectNothing();
    expect(existsSync("/tmp/pallium-import-up")).toBe(false);
  });

  test("refuses a newer version before it looks at the rest", async () => {
    const newer = replaced(/^pallium-run/, (text) => text.replace('"version":1', '"version":2'));
    await writeEntries(file, newer);
    expect((await importFile()).error).toMatchObject({
      code: "archive_newer",
      message: `${file} is of version 2, and this pallium reads version 1`,
    });
    await expectNothing();
  });

  test.each([
    ["none", () => ""],
    ["one that lists less", () => manifestOf(good.slice(1))],
    ["one that lists more", () => manifestOf([...good, file_("more")])],
    ["one with another hash", () => manifestOf(good).replace(/"sha256":"./, '"sha256":"g')],
    ["one that is no JSON", () => "{"],
  ])("refuses a manifest: %s", async (_name, manifest) => {
    await writeEntries(file, good, manifest());
    expect((await importFile()).error?.code).toBe("archive_invalid");
    await expectNothing();
  });

  test("refuses a file that is cut short anywhere, or has another byte", async () => {
    await writeEntries(file, good);
    const whole = await readFile(file);
    const cuts = [0, 1, 20, 600, whole.length >> 1, whole.length - 9, whole.length - 1];
    for (const length of cuts) {
      await writeFile(file, whole.subarray(0, length));
      expect([length, (await importFile()).error?.code]).toEqual([length, "archive_invalid"]);
    }
    const damaged = Buffer.from(whole);
    damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 0xff;
    await writeFile(file, damaged);
    expect((await importFile()).error?.code).toBe("archive_invalid");
    await writeFile(file, "this is no archive");
    expect((await importFile()).error?.code).toBe("archive_invalid");
    await expectNothing();
  }, 60_000);
});
