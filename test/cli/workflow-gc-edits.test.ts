/** `workflow gc` of runs whose agents edited: what hangs on their files, in every repository, and afterwards. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { editHome } from "../support/edit-runs.ts";
import { age, copyRun, gc, idsOf, inStore, runsFolder } from "../support/old-runs.ts";
import { type TestRepository, testRepository } from "../support/repository.ts";
import { errorOf } from "../support/workflow.ts";

const EDIT = `echo "four" >> a.txt; echo done`;
const FAIL = `echo "half" > half.txt; exit 3`;

const worktrees = async (repo: TestRepository) =>
  (await repo.git("worktree", "list", "--porcelain")).match(/^worktree .*/gm)?.length;

test("what was collected says so, whatever is asked of it; what it applied stays (D13)", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const source = `return await agent("add a line", { mode: "edit", provider: "p" });`;
  expect((await edits.script(source, { p: EDIT })).snapshot.run.status).toBe("completed");
  age(home, "wf-test", 8);
  const report = await gc(home);
  expect(idsOf(report)).toEqual(["wf-test"]);
  expect(report.bytes_freed).toBeGreaterThan(0);
  expect(existsSync(edits.runFile())).toBe(false);
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");

  const script = join(home.directory, "script.js");
  const again = ["run", "--id", "wf-test", "--script", script];
  for (const words of [
    ["apply", "wf-test"],
    ["apply", "wf-test", "--branch", "new"],
    ["revert", "wf-test"],
    ["resume", "wf-test"],
    ["resume", "wf-test", "--plan"],
    ["secrets", "wf-test"],
    ["diff", "wf-test"],
    ["gate", "reopen", "wf-test", "ready"],
    again,
  ]) {
    const { exitCode, stderr } = await home.pallium(["workflow", ...words, "--json"], {
      cwd: repo.path,
    });
    const { code, message, hints } = errorOf(stderr);
    expect([words, exitCode, code]).toEqual([words, 1, "run_collected"]);
    expect(message).toMatch(/^the files of run wf-test were removed by workflow gc at 2/);
    expect(hints.join()).toContain("pallium workflow show wf-test");
    expect(hints.join().includes("stays in the checkout")).toBe(words[0] === "revert");
  }
  expect(existsSync(edits.runFile())).toBe(false);

  const { run, agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
  expect(run.status).toBe("completed");
  expect(run.collected_at).toMatch(/^2/);
  expect(agents[0]).toMatchObject({ apply_state: "applied" });
  for (const verb of ["show", "status", "inspect"]) {
    const { stdout } = await home.pallium(["workflow", verb, "wf-test"]);
    expect(stdout).toContain(`Collected: ${run.collected_at}; its files are gone`);
  }
});

test("trees of agents that failed go, in every repository, and git forgets them; those of others stay (P8)", async () => {
  await using edits = await editHome();
  await using other = await testRepository();
  await other.commit("base", { "b.txt": "b\n" });
  const { home, repo } = edits;
  const source = `return await parallel([${JSON.stringify(repo.path)}, ${JSON.stringify(other.path)}], (repo) =>
    agent("fail", { mode: "edit", provider: "p", repo }));`;
  const { snapshot } = await edits.script(source, { p: FAIL });
  expect(snapshot.agents.map(({ worktree }) => existsSync(worktree ?? ""))).toEqual([true, true]);
  await other.git("worktree", "add", "-q", "--detach", join(home.directory, "own"));
  await other.git("worktree", "add", "-q", "--detach", join(home.directory, "away"));
  await other.git("worktree", "lock", join(home.directory, "away"));
  expect([await worktrees(repo), await worktrees(other)]).toEqual([2, 4]);
  age(home, "wf-test", 8);
  expect(idsOf(await gc(home, "--include-failed"))).toEqual(["wf-test"]);
  expect([await worktrees(repo), await worktrees(other)]).toEqual([1, 3]);
  expect(existsSync(edits.runFile())).toBe(false);
  expect(existsSync(join(home.directory, "own", "b.txt"))).toBe(true);
});

test("links are removed, not what they lead to; a record that names another folder leads nowhere", async () => {
  await using edits = await editHome();
  const { home } = edits;
  const kept = join(home.directory, "kept");
  await mkdir(kept);
  await writeFile(join(kept, "file"), "mine");
  for (const id of ["wf-1", "wf-2"]) await home.script("return 1;", { id });
  await symlink(kept, runsFolder(home, "wf-1", "link"));
  await symlink(join(kept, "file"), runsFolder(home, "wf-1", "link-to-file"));
  for (const id of ["../../kept", "..", ".", "", "linked", "wf-1/calls"]) {
    copyRun(home, "wf-2", id);
  }
  await symlink(kept, runsFolder(home, "linked"));
  await mkdir(join(kept, "tree"));
  await home.script("throw 1;", { id: "failed" });
  for (const name of ["worktrees", "objects"])
    await symlink(kept, runsFolder(home, "failed", name));
  await mkdir(join(kept, "tree", "temporary-1"));
  inStore(home, (store) => {
    store.run("UPDATE workflow_runs SET script_path = ?, cwd = ?", [join(kept, "file"), kept]);
    store.run("UPDATE workflow_runs SET completed_at = '2020-01-01' WHERE id <> 'wf-2'");
  });
  const report = await gc(home);
  expect([idsOf(report), report.left_overs]).toEqual([["wf-1"], []]);
  expect(existsSync(join(kept, "tree", "temporary-1"))).toBe(true);
  expect(await readFile(join(kept, "file"), "utf8")).toBe("mine");
  expect(existsSync(runsFolder(home, "wf-2"))).toBe(true);
});
