/** `workflow apply --branch`: what a run edited as a commit, the checkout left alone. */
import { expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { createDraw } from "../support/secrets/draw.ts";
import { errorOf } from "../support/workflow.ts";

interface Done {
  readonly branch: string;
  readonly commits: readonly { readonly root: string; readonly commit: string }[];
}

const EDIT = `return await agent("edit", { mode: "edit", provider: "editor" });`;
const BOTH = `await agent("here", { mode: "edit", provider: "editor" });
  await agent("there", { mode: "edit", provider: "editor", repo: args.other }); throw new Error("no");`;

/** Ends without applying: its edits wait. */
const HELD = `${EDIT.replace("return ", "")} throw new Error("held");`;

const branches = async ({ repo }: EditHome) =>
  (await repo.git("branch", "--format=%(refname:short)")).trim().split("\n");

test("commits what is staged on top of the base, from a sub-directory, with the task as message", async () => {
  await using edits = await editHome({ "a.txt": "one\n", "sub/b.txt": "b\n" });
  const cwd = edits.repo.join("sub");
  await edits.script(HELD, { editor: "echo two >> ../a.txt; echo ok" }, { cwd });
  const base = (await edits.repo.git("rev-parse", "HEAD")).trim();
  await edits.repo.write({ "sub/b.txt": "mine\n" });
  await edits.repo.git("add", "sub/b.txt");
  const run = ["workflow", "apply", "wf-test", "--branch", "pallium/work"];
  const { stdout, exitCode } = await edits.home.pallium(run, { cwd });
  const commit = (await edits.repo.git("rev-parse", "pallium/work")).trim();
  expect({ stdout, exitCode }).toEqual({
    stdout: `Committed to the new branch pallium/work:\n- ${commit.slice(0, 12)} in ${edits.repo.path}\n`,
    exitCode: 0,
  });
  expect((await edits.repo.git("rev-parse", "pallium/work^")).trim()).toBe(base);
  expect(await edits.repo.git("show", "pallium/work:a.txt")).toBe("one\ntwo\n");
  expect(await edits.repo.git("show", "-s", "--format=%B", "pallium/work")).toStartWith(
    `Run workflow script ${edits.home.directory}`.slice(0, 40),
  );
  expect(await edits.status()).toBe("M  sub/b.txt");
  expect(await edits.read("a.txt")).toBe("one\n");
  const { stderr } = await edits.home.pallium([...run, "--json"], { cwd });
  expect(errorOf(stderr).code).toBe("branch_exists");
});

test("prints branch and commits as JSON, and applies nothing", async () => {
  await using edits = await editHome();
  await edits.script(HELD, { editor: "echo x > x.txt; echo ok" });
  const message = "Add x\n\nBecause.";
  const done = await edits.json<Done>(
    ...["workflow", "apply", "wf-test", "--branch", "x", "--message", message],
  );
  expect(outputs["workflow.apply"].parse(done)).toEqual({
    id: "wf-test",
    branch: "x",
    commits: [{ root: edits.repo.path, commit: (await edits.repo.git("rev-parse", "x")).trim() }],
    applied: [],
  });
  expect((await edits.repo.git("show", "-s", "--format=%B", "x")).trim()).toBe(message);
  expect(await edits.read("x.txt")).toBeUndefined();
  const { applied } = await edits.json<{ applied: string[] }>("workflow", "apply", "wf-test");
  expect(applied).toHaveLength(1);
});

test("makes no branch where nothing was edited", async () => {
  await using edits = await editHome();
  await edits.script(EDIT, { editor: "echo ok" });
  const { stdout, exitCode } = await edits.home.pallium(
    ["workflow", "apply", "wf-test", "--branch", "x"],
    { cwd: edits.repo.path },
  );
  expect({ stdout, exitCode }).toEqual({
    stdout: "No workflow patches to apply: x was not made.\n",
    exitCode: 0,
  });
  expect(await branches(edits)).toEqual(["main"]);
});

test("lets no secret onto a branch", async () => {
  await using edits = await editHome();
  const secret = `npm${"_"}${createDraw(4).text(36)}`;
  await edits.script(HELD, { editor: `echo "token = '${secret}'" > c.txt; echo ok` });
  const run = ["workflow", "apply", "wf-test", "--branch", "x"];
  const blocked = await edits.home.pallium([...run, "--json"]);
  expect(errorOf(blocked.stderr).code).toBe("secret_in_patch");
  expect(await branches(edits)).toEqual(["main"]);
  const env = { PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH: "1" };
  expect((await edits.home.pallium(run, { env })).exitCode).toBe(0);
  expect(await branches(edits)).toEqual(["main", "x"]);
});

test("makes the branch in every repository, or in none", async () => {
  await using edits = await editHome();
  await using other = await editHome();
  await edits.script(
    BOTH,
    { editor: "echo x > x.txt; echo ok" },
    { flags: ["--args", JSON.stringify({ other: other.repo.path })] },
  );
  const both = [edits, other].toSorted((a, b) => (a.repo.path < b.repo.path ? -1 : 1));
  const last = both[1] ?? other;
  await last.repo.git("branch", "taken");
  await last.repo.git("branch", "folder/x");
  for (const [name, code] of [
    ["taken", "branch_exists"],
    // Nothing is called so, but git can make no such branch beside `folder/x`.
    ["folder", "git_failed"],
    ["a..b", "branch_invalid"],
  ] as const) {
    const run = ["workflow", "apply", "wf-test", "--branch", name, "--json"];
    expect(errorOf((await edits.home.pallium(run)).stderr).code).toBe(code);
    expect(await branches(both[0] ?? edits)).toEqual(["main"]);
  }
  const done = await edits.json<Done>("workflow", "apply", "wf-test", "--branch", "work");
  expect(done.commits.map(({ root }) => root)).toEqual(both.map(({ repo }) => repo.path));
  for (const { repo } of both) expect(await repo.git("show", "work:x.txt")).toBe("x\n");
});

test("two working trees of one repository cannot have the same branch", async () => {
  await using edits = await editHome();
  await using elsewhere = await editHome();
  const linked = elsewhere.repo.join("linked");
  await edits.repo.git("worktree", "add", "-q", "--detach", linked);
  await edits.script(
    BOTH,
    { editor: "echo x > x.txt; echo ok" },
    { flags: ["--args", JSON.stringify({ other: linked })] },
  );
  const { stderr } = await edits.home.pallium([
    "workflow",
    "apply",
    "wf-test",
    "--branch",
    "x",
    "--json",
  ]);
  expect(errorOf(stderr)).toMatchObject({ code: "branch_conflict" });
  expect(errorOf(stderr).message).toContain(linked);
  expect(await branches(edits)).toEqual(["main"]);
});

test.each([
  [["--message", "x"], "--message is for --branch"],
  [["--branch", ""], "--branch needs a name"],
  [["--branch", "x", "--message", " "], "--message needs a text"],
])("refuses %p", async (flags, message) => {
  await using edits = await editHome();
  const run = ["workflow", "apply", "wf-test", ...flags, "--json"];
  const { stderr, exitCode } = await edits.home.pallium(run);
  expect({ message: errorOf(stderr).message, exitCode }).toEqual({ message, exitCode: 2 });
});
