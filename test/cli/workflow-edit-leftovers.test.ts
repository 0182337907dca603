/** What a runner that was killed leaves of working trees, and who takes it away. */
import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists } from "../../src/platform/files.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { startRun } from "../support/runner.ts";
import { provider } from "../support/workflow.ts";

/** Waits to be let go before it ends. */
const SLOW = 'touch "$HOME/ready"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done; cat a.txt';
const env = {
  ...provider("quick", "echo four >> a.txt; cat a.txt"),
  ...provider("slow", SLOW),
  ...provider("look", "cat a.txt"),
  ...provider("five", `${SLOW}; echo five >> a.txt; touch "$HOME/finished"`),
  ...provider("late", `echo here >> "$HOME/readers"; ${SLOW}`),
  PALLIUM_WORKFLOW_PROVIDER: "slow",
};

async function killedRun({ home, repo }: EditHome, source: string, ready = "ready"): Promise<void> {
  const runner = await startRun(home, source, env, ["--cwd", repo.path]);
  await fileAppears(join(home.directory, ready));
  runner.kill("SIGKILL");
  await runner.exited;
}

const letGo = ({ home }: EditHome) => writeFile(join(home.directory, "go"), "");

async function expectNothingLeft(edits: EditHome): Promise<void> {
  expect(await readdir(edits.runFile("worktrees"))).toEqual([]);
  const listed = await edits.repo.git("worktree", "list");
  expect(listed.trimEnd().split("\n")).toHaveLength(1);
}

const QUICK = `await agent("q", { mode: "edit", provider: "quick" });`;

test("the view of readers whose answers are on record goes with the resume", async () => {
  await using edits = await editHome();
  const source = `${QUICK} await agent("look", { provider: "look" });
    return await agent("s", { mode: "edit", provider: "slow" });`;
  await killedRun(edits, source);
  expect((await readdir(edits.runFile("worktrees"))).length).toBe(2);
  const [key = ""] = await readdir(edits.runFile("objects"));
  const temporary = edits.runFile("objects", key, "temporary-of-the-killed");
  await mkdir(temporary);
  const half = `.a.patch.${crypto.randomUUID()}.tmp`;
  await writeFile(edits.runFile("patches", half), "half of a patch");
  await letGo(edits);
  expect((await edits.home.pallium(["workflow", "resume", "wf-test"], { env })).exitCode).toBe(0);
  await expectNothingLeft(edits);
  expect(await exists(temporary)).toBe(false);
  expect(await readdir(edits.runFile("patches"))).not.toContain(half);
  await mkdir(temporary);
  await edits.json("workflow", "revert", "wf-test");
  expect(await exists(temporary)).toBe(false);
});

test("readers of one view that are taken over both keep it until they end", async () => {
  await using edits = await editHome();
  const source = `${QUICK} return await parallel(["one", "two"], (name) =>
    agent(name, { provider: name === "one" ? "look2" : "late" }));`;
  const look2 = `echo here >> "$HOME/readers"
    while [ "$(wc -l < "$HOME/readers")" -lt 2 ]; do sleep 0.02; done
    touch "$HOME/both"; while [ ! -e "$HOME/one" ]; do sleep 0.02; done; cat a.txt`;
  const both = { ...env, ...provider("look2", look2) };
  const runner = await startRun(edits.home, source, both, ["--cwd", edits.repo.path]);
  await fileAppears(join(edits.home.directory, "both"));
  runner.kill("SIGKILL");
  await runner.exited;
  await writeFile(join(edits.home.directory, "one"), "");
  const resumed = edits.home.pallium(["workflow", "resume", "wf-test", "--json"], { env: both });
  const settled = async () =>
    (
      await edits.json<{ agents: { status: string }[] }>("workflow", "show", "wf-test")
    ).agents.filter(({ status }) => status === "completed").length;
  while ((await settled()) < 2) {}
  await letGo(edits);
  const { stdout, exitCode } = await resumed;
  expect(exitCode).toBe(0);
  const text = "one\ntwo\nthree\nfour\n".trim();
  expect(JSON.parse(JSON.parse(stdout).run.result)).toEqual([text, text]);
  await expectNothingLeft(edits);
});

test("an edit at work that the script no longer makes is ended, and its tree goes", async () => {
  await using edits = await editHome();
  const slow = `await agent("s", { label: "slow", mode: "edit", provider: "slow" });`;
  await killedRun(edits, `${QUICK} ${slow}`);
  const without = await edits.script(`${QUICK} return 1;`, {}, { env });
  expect(without.exitCode).toBe(0);
  await expectNothingLeft(edits);
  await letGo(edits);
  const again = await edits.script(`${QUICK} ${slow} return 2;`, {}, { env });
  expect(again.exitCode).toBe(0);
  expect(await readFile(edits.repo.join("a.txt"), "utf8")).toBe("one\ntwo\nthree\nfour\n");
  await expectNothingLeft(edits);
});

test("the tree of an edit on record that the script no longer makes goes", async () => {
  await using edits = await editHome();
  await edits.script(`${QUICK} return 1;`, {}, { env });
  const { agents } = await edits.json<{ agents: { id: string }[] }>("workflow", "show", "wf-test");
  await mkdir(edits.runFile("worktrees", agents[0]?.id ?? ""));
  expect((await edits.script("return 2;", {}, { env })).exitCode).toBe(0);
  await expectNothingLeft(edits);
});

test("an edit that was finished meanwhile, and that the script makes again only later, is made anew", async () => {
  await using edits = await editHome();
  const five = `await agent("f", { label: "five", mode: "edit", provider: "five" });`;
  await killedRun(edits, five);
  await letGo(edits);
  await fileAppears(join(edits.home.directory, "finished"));
  expect((await edits.script("return 1;", {}, { env })).exitCode).toBe(0);
  await expectNothingLeft(edits);
  expect((await edits.script(five, {}, { env })).exitCode).toBe(0);
  expect(await readFile(edits.repo.join("a.txt"), "utf8")).toBe("one\ntwo\nthree\nfive\n");
});

test("the tree of a loop that the script no longer makes goes", async () => {
  await using edits = await editHome();
  await killedRun(edits, `${QUICK} await verify.untilGreen("false");`);
  expect((await readdir(edits.runFile("worktrees"))).join()).toContain("untilgreen-");
  const without = await edits.script(`${QUICK} return 1;`, {}, { env });
  expect(without.exitCode).toBe(0);
  await expectNothingLeft(edits);
});

test("git forgets the trees that a killed one had only begun to make, and no other", async () => {
  await using edits = await editHome();
  await killedRun(edits, `${QUICK} return await agent("s", { mode: "edit", provider: "slow" });`);
  const known = (...names: string[]) => edits.repo.join(".git/worktrees", ...names);
  const [, tree = ""] =
    /^worktree (.*\/worktrees\/.*)$/m.exec(
      await edits.repo.git("worktree", "list", "--porcelain"),
    ) ?? [];
  for (const name of ["agent-half", "agent-gone", "of-the-user"]) await mkdir(known(name));
  await writeFile(known("agent-half", "locked"), "initializing");
  await writeFile(known("agent-gone", "gitdir"), `${dirname(tree)}/agent-gone/.git\n`);
  await letGo(edits);
  expect((await edits.home.pallium(["workflow", "resume", "wf-test"], { env })).exitCode).toBe(0);
  expect(await readdir(known())).toEqual(["of-the-user"]);
});

test("an answer of a worker that was left at work counts only while the edits it saw do", async () => {
  await using edits = await editHome();
  const look = `return await agent("s", { label: "look", provider: "slow" });`;
  await killedRun(edits, `${QUICK} ${look}`);
  await letGo(edits);
  const { result } = await edits.script(look, {}, { env });
  expect(result).toBe("one\ntwo\nthree");
  await expectNothingLeft(edits);
});
