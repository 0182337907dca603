/** `workflow export` and `import`: a run goes to another machine as one file. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { ExportedRun } from "../../src/workflow/archive/export-run.ts";
import type { ImportedRun } from "../../src/workflow/archive/import-run.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { age, gc, inStore, runsFolder } from "../support/old-runs.ts";
import { rowsOf } from "../support/run-rows.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const SOURCE = `phase("look");
  await pallium.decisions.record("kept", "body", ["a"]);
  await gate("go", "may it?");
  const said = await agent("what is up?", { label: "look", provider: "q" });
  await parallel(["p", "bad"], (provider) => agent("edit", { mode: "edit", provider, label: provider }));
  return said;`;
const AGENTS = { q: "echo all is well", p: "echo four >> a.txt; echo done", bad: "exit 3" };

async function ranHome(flags: readonly string[] = []): Promise<EditHome> {
  const edits = await editHome();
  const gate = SOURCE.replace('await gate("go", "may it?");', "");
  const { snapshot } = await edits.script(gate, AGENTS, { flags });
  expect(snapshot.run.status).toBe("completed");
  return edits;
}

async function exported({ home }: EditHome, ...flags: readonly string[]): Promise<string> {
  const run = await home.json<ExportedRun>(["workflow", "export", "wf-test", ...flags]);
  expect(outputs["workflow.export"].parse(run)).toEqual(run);
  return run.path;
}

async function imported(home: WorkflowHome, ...args: readonly string[]): Promise<ImportedRun> {
  const run = await home.json<ImportedRun>(["workflow", "import", ...args]);
  expect(outputs["workflow.import"].parse(run)).toEqual(run);
  return run;
}

const show = (home: WorkflowHome, id: string) => home.json<Snapshot>(["workflow", "show", id]);

describe("workflow export", () => {
  test("writes equal bytes for an equal run, that tar reads", async () => {
    await using edits = await ranHome();
    const first = await exported(edits);
    expect(first).toEndWith("/wf-test.pallium.tar.gz");
    const second = await exported(edits, "--output", "b.tgz");
    expect((await readFile(first)).equals(await readFile(second))).toBe(true);
    const tar = Bun.spawnSync(["tar", "tzf", first]);
    const names = tar.stdout.toString().trimEnd().split("\n");
    expect(tar.exitCode).toBe(0);
    expect([names[0], names.at(-1)]).toEqual(["pallium-run.json", "manifest.json"]);
    expect(names).toContain("files/workflow.js");
    const local = names.filter((name) => /\/(pid|run\.json|workspace\.json)$|worktrees/.test(name));
    expect(local).toEqual([]);
  });

  test("replaces a file only where it is told to, and says in a sentence what it wrote", async () => {
    await using edits = await ranHome();
    await exported(edits);
    const again = await edits.home.pallium(["workflow", "export", "wf-test", "--json"]);
    expect(errorOf(again.stderr).code).toBe("file_exists");
    const { stdout } = await edits.home.pallium(["workflow", "export", "wf-test", "--force"]);
    expect(stdout).toMatch(
      /^Workflow run exported: \/.*\/wf-test\.pallium\.tar\.gz \(\d+ bytes, \d+ files\)\n$/,
    );
    expect((await readdir(edits.home.directory)).filter((name) => name.endsWith(".tmp"))).toEqual(
      [],
    );
  });

  test("refuses a run that does not exist, one at work, and a folder that does not", async () => {
    await using home = await workflowHome();
    const codeOf = async (...args: readonly string[]) =>
      errorOf((await home.pallium(["workflow", "export", ...args, "--json"])).stderr).code;
    expect(await codeOf("nothing")).toBe("run_not_found");
    const [started, go] = [join(home.directory, "started"), join(home.directory, "go")];
    const wait = `echo > ${started}; while [ ! -e ${go} ]; do sleep 0.05; done; echo done`;
    await writeFile(join(home.directory, "wait.js"), `return agent("wait", { provider: "p" });`);
    const run = ["workflow", "run", "--id", "wf-test", "--script", "wait.js", "--background"];
    await home.pallium(run, { env: provider("p", wait) });
    while (!existsSync(started)) await new Promise(setImmediate);
    expect(await codeOf("wf-test")).toBe("run_owned");
    await home.pallium(["workflow", "stop", "wf-test"]);
    expect(await codeOf("wf-test", "--output", "no/where.tgz")).toBe("io_failed");
  });

  test("refuses what looks like a secret, wherever it is, and writes nothing", async () => {
    await using edits = await editHome();
    const key = `sk-proj-${"aB3dE6gH9jK2mN5pQ8rT".repeat(3)}`;
    await edits.script(`await agent("edit", { mode: "edit", provider: "p", label: "l" });`, {
      p: `echo 'key = "${key}"' >> a.txt; echo done`,
    });
    const args = ["workflow", "export", "wf-test", "--json"];
    const refused = await edits.home.pallium(args);
    expect(errorOf(refused.stderr)).toMatchObject({
      code: "secret_in_run",
      message: expect.stringMatching(
        /objects\/.*openai-key at line.*patches\/.*openai-key at line/,
      ),
    });
    expect(refused.stderr).not.toContain(key);
    expect(existsSync(join(edits.home.directory, "wf-test.pallium.tar.gz"))).toBe(false);
    const env = { PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH: "1" };
    expect((await edits.home.pallium(args, { env })).exitCode).toBe(0);
  });

  test("leaves out links, and says so", async () => {
    await using edits = await ranHome();
    await symlink("/etc/passwd", edits.runFile("patches", "passwd"));
    const run = await edits.json<ExportedRun>("workflow", "export", "wf-test");
    expect(run.left_out).toEqual(["patches/passwd"]);
  });
});

describe("workflow import", () => {
  test("brings all of a run to another home, where it is shown, read, diffed and applied", async () => {
    await using edits = await ranHome(["--notify", "touch notified", "--allow-network"]);
    const file = await exported(edits);
    const before = await show(edits.home, "wf-test");
    await edits.json("workflow", "revert", "wf-test");
    await using home = await workflowHome();
    const run = await imported(home, file);
    expect(run).toMatchObject({ id: "wf-test", exported_id: "wf-test", status: "completed" });
    expect(run.path).toBe(runsFolder(home, "wf-test"));
    const after = await show(home, "wf-test");
    expect(after.run.origin).toBe("imported");
    expect(after.run.allow_network).toBeUndefined();
    expect(after.agents.map(({ id, output, status }) => [id, output, status])).toEqual(
      before.agents.map(({ id, output, status }) => [id, output, status]),
    );
    const edited = after.agents.find(({ label }) => label === "p");
    expect(edited?.patch_path).toStartWith(`${runsFolder(home, "wf-test")}/patches/`);
    expect(edited?.receipt?.patch).toBe(edited?.patch_path ?? "");
    expect(edited?.apply_state).toBe("staged");
    expect(existsSync(edited?.patch_path ?? "")).toBe(true);
    expect((await home.pallium(["workflow", "read", "wf-test"])).stdout).toBe("all is well\n");
    expect((await home.pallium(["workflow", "diff", "wf-test"])).stdout).toContain("+four");
    const rows = inStore(home, (store) =>
      store.query("SELECT notify, codex_binary, allow_network FROM workflow_runs").get(),
    );
    expect(rows).toEqual({ notify: null, codex_binary: "codex", allow_network: 0 });
    const cwd = edits.repo.path;
    expect((await home.pallium(["workflow", "apply", "wf-test"], { cwd })).exitCode).toBe(0);
    expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
  });

  test("is resumed without paying for a finished call again", async () => {
    await using edits = await editHome();
    const ledger = join(edits.home.directory, "ledger");
    const source = `const a = await agent("one", { provider: "q" });
      const b = await agent("two", { provider: "later" });
      return a + b;`;
    const q = `echo one >> ${ledger}; echo one`;
    await edits.script(source, { q, later: "exit 3" });
    const file = await exported(edits);
    await using home = await workflowHome();
    await imported(home, file);
    const env = { ...provider("q", q), ...provider("later", "echo two") };
    const resumed = await home.pallium(["workflow", "resume", "wf-test", "--json"], { env });
    expect(JSON.parse(resumed.stdout).run.result).toBe("onetwo");
    expect(await readFile(ledger, "utf8")).toBe("one\n");
    await rename(edits.repo.path, `${edits.repo.path}-moved`);
    await home.pallium(["workflow", "delete", "wf-test"]);
    await imported(home, file);
    const gone = await home.pallium(["workflow", "resume", "wf-test", "--json"], { env });
    expect(errorOf(gone.stderr).code).toBe("cwd_not_found");
    expect((await show(home, "wf-test")).agents).toHaveLength(2);
    await rename(`${edits.repo.path}-moved`, edits.repo.path);
  });

  test("of a run that is here is refused, and is another run with --id", async () => {
    await using edits = await ranHome();
    const file = await exported(edits);
    const refused = await edits.home.pallium(["workflow", "import", file, "--json"]);
    expect(errorOf(refused.stderr)).toMatchObject({
      code: "run_exists",
      hints: [
        "give it another one: --id <id>",
        "or delete that one: pallium workflow delete wf-test",
      ],
    });
    const { stdout } = await edits.home.pallium(["workflow", "import", file, "--id", "copy"]);
    expect(stdout).toMatch(/^Workflow run imported: copy \(completed, \d+ files\)\n$/);
    const [here, copy] = [await show(edits.home, "wf-test"), await show(edits.home, "copy")];
    const ids = ({ agents, phases }: Snapshot) => [...agents, ...phases].map(({ id }) => id);
    expect(ids(copy).filter((id) => ids(here).includes(id))).toEqual([]);
    expect(copy.agents.map(({ output }) => output)).toEqual(
      here.agents.map(({ output }) => output),
    );
    for (const { id } of copy.agents) {
      expect(existsSync(runsFolder(edits.home, "copy", "calls", id, "stdout"))).toBe(true);
    }
    const patch = copy.agents.find(({ label }) => label === "p")?.patch_path ?? "";
    expect(existsSync(patch)).toBe(true);
    expect(await edits.json<unknown[]>("workflow", "diff", "copy")).toHaveLength(1);
    const rowsHere = rowsOf(edits.home, "wf-test");
    await edits.home.pallium(["workflow", "delete", "copy", "--force"]);
    expect(rowsOf(edits.home, "wf-test")).toEqual(rowsHere);
    expect((await edits.home.pallium(["workflow", "read", "wf-test"])).stdout).toBe(
      "all is well\n",
    );
  });

  test("comes to the same file when it is exported again", async () => {
    await using edits = await editHome();
    await edits.script(`return agent("x", { provider: "q" });`, AGENTS);
    const file = await exported(edits);
    await using home = await workflowHome();
    await imported(home, file);
    await home.json(["workflow", "export", "wf-test", "--output", "again.tgz"]);
    await using other = await workflowHome();
    await imported(other, join(home.directory, "again.tgz"));
    await other.json(["workflow", "export", "wf-test", "--output", "third.tgz"]);
    const [second, third] = await Promise.all([
      readFile(join(home.directory, "again.tgz")),
      readFile(join(other.directory, "third.tgz")),
    ]);
    expect(third.equals(second)).toBe(true);
  });

  test("of a collected run has its records alone", async () => {
    await using edits = await ranHome();
    age(edits.home, "wf-test", 8);
    await gc(edits.home);
    const file = await exported(edits);
    await using home = await workflowHome();
    expect((await imported(home, file)).files).toBe(0);
    expect((await show(home, "wf-test")).run.collected_at).toBeDefined();
  });

  test("refuses an id that is none, and a file that is not there", async () => {
    await using home = await workflowHome();
    const codeOf = async (...args: readonly string[]) =>
      errorOf((await home.pallium(["workflow", "import", ...args, "--json"])).stderr).code;
    expect(await codeOf("x.tgz", "--id", "../up")).toBe("invalid_id");
    expect(await codeOf("x.tgz")).toBe("archive_not_found");
    await mkdir(join(home.directory, "folder"));
    expect(await codeOf("folder")).toBe("archive_not_found");
    expect(await readdir(runsFolder(home))).toEqual([]);
  });

  test("does not take the folder of a run in another store", async () => {
    await using edits = await ranHome();
    const file = await exported(edits);
    const args = ["workflow", "import", file, "--db", "other.sqlite", "--json"];
    expect(errorOf((await edits.home.pallium(args)).stderr).code).toBe("run_exists");
    await cp(edits.runFile(), join(edits.home.directory, "before"), { recursive: true });
    expect(existsSync(edits.runFile("workflow.js"))).toBe(true);
  });
});
