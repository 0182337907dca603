/** `workflow library` and `workflow save`, through the real program. */
import { describe, expect, test } from "bun:test";
import { exists, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstalledPack } from "../../src/workflow/authoring/library.ts";
import type { WorkflowPack } from "../../src/workflow/authoring/packs/catalogue.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { editHome } from "../support/edit-runs.ts";
import { errorOf, workflowHome } from "../support/workflow.ts";

const NAMES = ["security-audit", "migration-assistant", "test-gap-finder"];
const BAD_NAMES = ["../x", "a/b", "..", "/../x.js", ""];

const AUDIT = '{"findings":["f"],"risks":[],"evidence":[],"next_steps":[]}';
const GAPS = '{"gaps":["g"],"evidence":[],"suggested_tests":[]}';
const REPORT = '{"summary":"s","changed_files":[],"open_points":[]}';
const GREEN = '{"ok":true,"command":"c","summary":"s","output_tail":"","failures":[]}';

const PACKS = [
  {
    name: "security-audit",
    answers: [AUDIT, AUDIT, AUDIT, AUDIT, '{"verdict":"v","top_findings":[],"next_steps":[]}'],
    labels: [
      "security-auth-and-access-control",
      "security-data-and-secrets",
      "security-dependency-and-supply-chain",
      "security-synthesis",
      "security-test-and-regression-risk",
    ],
    edits: [],
  },
  {
    name: "migration-assistant",
    answers: ['{"summary":"s","steps":[],"risks":[]}', REPORT, REPORT, REPORT, GREEN],
    labels: [
      "migration-docs-and-handoff",
      "migration-mechanical-changes",
      "migration-plan",
      "migration-tests-and-fixtures",
      "migration-verify-check-1",
    ],
    edits: ["migration-mechanical-changes", "migration-tests-and-fixtures"],
  },
  {
    name: "test-gap-finder",
    answers: [GAPS, GAPS, GAPS, GAPS, '{"summary":"s","top_gaps":[],"next_tests":[]}'],
    labels: [
      "test-gap-changed-files",
      "test-gap-missing-assertions",
      "test-gap-risky-neighbors",
      "test-gap-synthesis",
      "test-gap-verification-plan",
    ],
    edits: [],
  },
];

describe("workflow library", () => {
  test.each(PACKS)(
    "installs $name, which runs to its end",
    async ({ name, answers, labels, edits }) => {
      await using home = await editHome();
      await home.repo.commit("second", { "a.txt": "one\n2\n" });
      await home.json("index");
      const installed = await home.json<InstalledPack>("workflow", "library", "install", name);
      const path = home.repo.join(".pallium/workflows", `${name}.js`);
      expect(installed).toMatchObject({
        pack: { name, version: "1.0.0" },
        path,
        workflow: name,
        installed: true,
      });
      const args = ["workflow", "run", `/${name}`, "--json", "--args", '{"task":"THE TASK"}'];
      const run = await home.home.pallium(args, {
        cwd: home.repo.path,
        env: {
          PALLIUM_WORKFLOW_AGENT_STUB: "x",
          PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: JSON.stringify(answers),
        },
      });
      const { run: row, agents, phases } = JSON.parse(run.stdout) as Snapshot;
      expect({ status: row.status, failures: row.failures }).toEqual({
        status: "completed",
        failures: undefined,
      });
      expect(agents.map(({ label }) => label ?? "").sort()).toEqual(labels);
      const editing = agents.filter(
        ({ mode, isolation }) => mode === "edit" && isolation === "worktree",
      );
      expect(editing.map(({ label }) => label ?? "").sort()).toEqual(edits);
      expect(agents[0]?.prompt).toContain("THE TASK");
      const pack = await home.json<WorkflowPack>("workflow", "library", "show", name);
      expect(phases.map((phase) => phase.name).sort()).toEqual([...pack.phases].sort());
      expect(Object.values(JSON.parse(row.result ?? ""))).not.toContain(null);
    },
    60_000,
  );

  test.each(NAMES)(
    "%s runs without an index, a repository and args",
    async (name) => {
      await using home = await workflowHome();
      const { path } = await home.json<InstalledPack>(["workflow", "library", "install", name]);
      const pack = PACKS.find((pack) => pack.name === name);
      // Agents that edit need a repository: without one nobody is asked, and the rest goes on.
      const answers = pack?.answers.toSpliced(1, pack.edits.length);
      const { snapshot } = await home.script(await readFile(path, "utf8"), {
        stub: "x",
        env: { PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: JSON.stringify(answers) },
      });
      expect(snapshot.run.status).toBe("completed");
    },
    60_000,
  );

  test("lists and shows packs under all its names", async () => {
    await using home = await workflowHome();
    for (const group of ["library", "libraries", "pack", "packs"]) {
      const list = await home.json<WorkflowPack[]>(["workflow", group]);
      expect(list.map(({ name }) => name)).toEqual(NAMES);
    }
    const shown = await home.json<WorkflowPack>(["workflow", "pack", "security-audit"]);
    expect(shown).toMatchObject({
      installs_as: "security-audit",
      tags: ["security", "review", "parallel"],
    });
    expect(shown).not.toHaveProperty("script");
    const unknown = await home.pallium(["workflow", "pack", "install", "nope"]);
    expect(unknown.stderr).toContain("unknown workflow library pack: nope");
  });

  test("never overwrites without --force", async () => {
    await using home = await workflowHome();
    const path = join(home.directory, "sub/.pallium/workflows/mine.js");
    await Bun.write(path, "mine");
    const args = [
      "workflow",
      "library",
      "install",
      "security-audit",
      "--cwd",
      "sub",
      "--name",
      "mine",
    ];
    const refused = await home.pallium(args);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      `workflow "mine" already exists at ${path}; pass --force to overwrite`,
    );
    expect(await readFile(path, "utf8")).toBe("mine");
    const forced = await home.pallium([...args, "--force"]);
    expect(forced.stdout).toBe(`Installed workflow pack security-audit as /mine at ${path}\n`);
    expect(await readFile(path, "utf8")).toContain("security-synthesis");
  });

  test.each(BAD_NAMES)("refuses the name %p (X3)", async (name) => {
    await using home = await workflowHome();
    const args = ["workflow", "library", "install", "security-audit", `--name=${name}`, "--json"];
    const { stderr, exitCode } = await home.pallium(args);
    expect({ exitCode, code: errorOf(stderr).code }).toEqual({ exitCode: 2, code: "invalid_id" });
    expect(await exists(join(home.directory, ".pallium/workflows"))).toBe(false);
  });
});

describe("workflow save", () => {
  const script = 'return "saved workflow " + args.topic;';

  test("is all that a run leaves in its repository, where its end is told, shown and read (oracle 77)", async () => {
    await using edits = await editHome();
    const { home, repo } = edits;
    const call = (...words: string[]) =>
      home.pallium(["workflow", ...words], {
        cwd: repo.path,
        env: { PALLIUM_WORKFLOW_AGENT_STUB: "looked at" },
      });
    await writeFile(join(home.directory, "s.js"), 'return await agent("look");');
    const run = await call("run", "--id", "wf-cli", "--script", join(home.directory, "s.js"));
    expect(run.stdout).toStartWith("Workflow wf-cli: completed\n");
    const shown = JSON.parse((await call("show", "wf-cli", "--json")).stdout) as Snapshot;
    expect(shown.run.status).toBe("completed");
    expect((await call("read", "wf-cli")).stdout).toContain("looked at");
    expect(await exists(join(repo.path, ".pallium"))).toBe(false);
    await call("save", "wf-cli", "--name", "saved-test");
    const saved = join(repo.path, ".pallium/workflows/saved-test.js");
    expect(await readFile(saved, "utf8")).toBe('return await agent("look");');
    expect(await exists(join(repo.path, ".pallium/workflow-runs"))).toBe(false);
  });

  test("copies the script of a run, which runs by its name (oracles 77, 78)", async () => {
    await using home = await workflowHome();
    await home.script(script, { flags: ["--args", '{"topic":"x"}'] });
    const saved = await home.pallium(["workflow", "save", "wf-test", "--name", "saved-review"]);
    const path = join(home.directory, ".pallium/workflows/saved-review.js");
    expect(saved.stdout).toEndWith("/.pallium/workflows/saved-review.js\n");
    expect(saved.stdout).toStartWith("Workflow saved: ");
    expect(await readFile(path, "utf8")).toBe(script);
    for (const [topic, ...words] of [
      ["auth", "--workflow", "saved-review"],
      ["billing", "/saved-review"],
    ]) {
      const { stdout } = await home.pallium([
        "workflow",
        "run",
        ...words,
        "--args",
        JSON.stringify({ topic }),
      ]);
      expect(stdout).toContain(`saved workflow ${topic}`);
    }
  });

  test("saves where the run was, not where it is called, or at home", async () => {
    await using edits = await editHome();
    await edits.script("return 1;");
    const save = (...flags: string[]) =>
      edits.home.json<{ path: string }>([
        "workflow",
        "save",
        "wf-test",
        "--name",
        "kept",
        ...flags,
      ]);
    expect((await save()).path).toBe(edits.repo.join(".pallium/workflows/kept.js"));
    expect((await save("--user")).path).toBe(
      join(edits.home.directory, ".pallium/workflows/kept.js"),
    );
  });

  test("never overwrites without --force", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const path = join(home.directory, ".pallium/workflows/kept.js");
    await Bun.write(path, "mine");
    const args = ["workflow", "save", "wf-test", "--name", "kept", "--json"];
    expect(errorOf((await home.pallium(args)).stderr).code).toBe("workflow_exists");
    expect(await readFile(path, "utf8")).toBe("mine");
    expect((await home.pallium([...args, "--force"])).exitCode).toBe(0);
    expect(await readFile(path, "utf8")).toBe("return 1;");
  });

  test("a script that is planted above the repository is not found, nor above a folder (X3)", async () => {
    await using home = await workflowHome();
    const shared = join(home.directory, "shared");
    const repository = join(shared, "repo");
    await Bun.write(join(shared, ".pallium/workflows/planted.js"), 'return "planted";');
    await Bun.write(join(repository, "sub/.pallium/workflows/own.js"), 'return "own";');
    const run = (name: string, cwd: string) =>
      home.pallium(["workflow", "run", `/${name}`, "--json"], { cwd });
    expect((await run("own", join(repository, "sub"))).exitCode).toBe(0);
    for (const git of [false, true]) {
      if (git) Bun.spawnSync(["git", "init", "-q", repository], { env: home.env });
      const { stderr } = await run("planted", join(repository, "sub"));
      expect({ git, code: errorOf(stderr).code }).toEqual({ git, code: "workflow_not_found" });
    }
  });

  test.each(BAD_NAMES.filter((name) => name !== ""))("refuses the name %p (X3)", async (name) => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const { stderr, exitCode } = await home.pallium([
      "workflow",
      "save",
      "wf-test",
      "--name",
      name,
      "--json",
    ]);
    expect({ exitCode, code: errorOf(stderr).code }).toEqual({ exitCode: 2, code: "invalid_id" });
  });

  test("says what is missing: the name, the run, its files, its directory", async () => {
    await using home = await workflowHome();
    const code = async (...args: string[]) =>
      errorOf((await home.pallium(["workflow", "save", ...args, "--json"])).stderr);
    const gone = join(home.directory, "gone");
    await Bun.write(join(gone, "a"), "");
    await home.script("return 1;", { cwd: gone });
    expect(await code("wf-test")).toMatchObject({
      code: "usage",
      message: "workflow save requires --name",
    });
    expect(await code("wf-none", "--name", "x")).toMatchObject({ code: "run_not_found" });
    await rm(gone, { recursive: true });
    expect(await code("wf-test", "--name", "x")).toMatchObject({ code: "cwd_not_found" });
    await home.pallium(["workflow", "gc", "--older-than", "0"]);
    expect(await code("wf-test", "--name", "x")).toMatchObject({ code: "run_collected" });
  });
});
