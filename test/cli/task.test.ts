import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { type CliHome, cliHome } from "../support/cli.ts";
import { writeGoDatabase } from "../support/go-database.ts";
import { repositoryIn, type TestRepository, testRepository } from "../support/repository.ts";
import { tempDir } from "../support/temp.ts";

const FILES = { "main.go": "package main\n", "web/src/a.ts": "", "docs/a.md": "" };

/** A repository with an index, and what runs pallium in it. */
async function indexed(home: CliHome, repo: TestRepository) {
  await repo.commit("one", FILES);
  const run = async (args: readonly string[], cwd = repo.path) => {
    const { stdout, stderr, exitCode } = await home.pallium([...args, "--json"], { cwd });
    return { exitCode, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  expect((await run(["index"])).exitCode).toBe(0);
  return run;
}

test("a task is started from where the user stands, shown, replaced and cleared", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  const run = await indexed(home, repo);
  const started = await run(["task", "start", "fix it", "src,main.go", "!*.md"], repo.join("web"));
  expect(started.answer).toEqual({
    goal: "fix it",
    scope_paths: ["web/src", "main.go", "!web/**/*.md"],
    started_at: expect.any(String),
    expires_at: expect.any(String),
  });
  expect((await run(["task", "show"])).answer).toMatchObject({ goal: "fix it" });
  const second = await run(["task", "start", "something else"]);
  expect(second.answer.scope_paths).toEqual(["."]);
  expect(second.stderr).toContain("fix it");
  expect((await run(["task", "clear"])).answer).toEqual({ status: "cleared" });
  expect((await run(["task", "show"])).answer).toEqual({
    goal: "",
    scope_paths: [],
    started_at: "",
  });
});

test("a goal without its quotes is refused with the command as it was meant (repo U5)", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  const run = await indexed(home, repo);
  const { exitCode, stderr } = await run(["task", "start", "fix", "the", "bug"]);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "task_goal_unquoted" } });
  expect(stderr).toContain('task start \\"fix the bug\\"');
  expect((await run(["task", "show"])).answer.goal).toBe("");
});

test("scopes of blanks, and outside of the repository, are refused", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  const run = await indexed(home, repo);
  for (const [scope, code] of [
    [" , ", "scope_empty"],
    ["../x", "scope_outside"],
    ["/etc", "scope_outside"],
  ] as const) {
    const { exitCode, stderr } = await run(["task", "start", "fix it", scope]);
    expect([exitCode, JSON.parse(stderr).error.code]).toEqual([2, code]);
  }
});

test("each branch and each detached worktree has its own task (repo D7)", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  await using other = await tempDir();
  const run = await indexed(home, repo);
  const linked = repositoryIn({ ...other, path: other.join("linked") });
  await repo.git("worktree", "add", "-q", "--detach", linked.path);
  await run(["task", "start", "on main"]);
  await run(["task", "start", "in the linked one"], linked.path);
  await repo.git("checkout", "-q", "--detach");
  await run(["task", "start", "detached"]);
  const goals = async () => [
    (await run(["task", "show"])).answer.goal,
    (await run(["task", "show"], linked.path)).answer.goal,
  ];
  expect(await goals()).toEqual(["detached", "in the linked one"]);
  await repo.git("checkout", "-q", "main");
  expect(await goals()).toEqual(["on main", "in the linked one"]);
});

test("a task that has expired is said to have (repo D7)", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  const run = await indexed(home, repo);
  await run(["task", "start", "forgotten", "--expires", "30m"]);
  const records = new Connection(repo.join(".pallium/records.sqlite"));
  records.run("UPDATE tasks SET used_at = '2026-09-01T10:00:00.000Z'");
  records.close();
  expect((await run(["task", "show"])).answer).toMatchObject({
    goal: "",
    expired: { goal: "forgotten", expired_at: "2026-09-01T10:30:00.000Z" },
  });
});

test("a task of the Go program is taken over, and nothing shows up in git (repo D4)", async () => {
  await using home = await cliHome();
  await using repo = await testRepository();
  await repo.commit("one", FILES);
  const now = new Date().toISOString();
  const path = repo.join(".pallium/pallium.sqlite");
  await writeGoDatabase(path, {
    roots: [repo.path],
    sql: `INSERT INTO active_tasks VALUES (1, 'main', 'from before', '["web"]', '${now}')`,
  });
  const before = await readFile(path);
  const run = async (...args: string[]) =>
    JSON.parse((await home.pallium([...args, "--json"], { cwd: repo.path })).stdout);
  await run("index");
  expect(await run("task", "show")).toMatchObject({ goal: "from before", scope_paths: ["web"] });
  expect(await repo.git("status", "--porcelain")).toBe("");
  expect(await readFile(path)).toEqual(before);
});
