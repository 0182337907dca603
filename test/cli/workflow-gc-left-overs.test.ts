/** What old runs leave besides: working trees go before the run does, unless somebody comes back to them. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { runningFrom } from "../support/leftovers.ts";
import { age, gc } from "../support/old-runs.ts";
import type { TestRepository } from "../support/repository.ts";
import { startRun } from "../support/runner.ts";
import { provider } from "../support/workflow.ts";

const SOURCE = `return await agent("edit", { mode: "edit", provider: "p" });`;

const worktrees = async (repo: TestRepository) =>
  (await repo.git("worktree", "list", "--porcelain")).match(/^worktree .*/gm)?.length;

test("trees of agents that failed, and work cut short, go from a failed run, which can still be resumed (P8)", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const { snapshot } = await edits.script(SOURCE, { p: "echo half > half.txt; exit 3" });
  const path = snapshot.agents[0]?.worktree ?? "";
  expect([snapshot.run.status, existsSync(path)]).toEqual(["failed", true]);
  expect((await gc(home)).left_overs).toEqual([]);
  age(home, "wf-test", 8);
  const leftOver = { id: "wf-test", path, bytes: expect.any(Number) };
  expect(await gc(home, "--dry-run")).toMatchObject({ removed: [], left_overs: [leftOver] });
  expect([existsSync(path), await worktrees(repo)]).toEqual([true, 2]);
  const { stdout } = await home.pallium(["workflow", "gc"]);
  expect(stdout).toMatch(
    /^Workflow gc removed no run directories\.\nWorkflow gc removed 1 left-over folders \(\d+ bytes freed\):\n- wf-test \(\d+ bytes\) .*\n$/,
  );
  expect([existsSync(path), await worktrees(repo)]).toEqual([false, 1]);
  const [objects = ""] = await readdir(edits.runFile("objects"));
  const unfinished = edits.runFile("objects", objects, "temporary-1");
  await mkdir(unfinished);
  expect((await gc(home)).left_overs).toEqual([]);
  const young = await gc(home, "--older-than", "0");
  expect(young.left_overs).toEqual([{ id: "wf-test", path: unfinished, bytes: 0 }]);
  const env = provider("p", "echo four >> a.txt; echo done");
  const resume = await home.pallium(["workflow", "resume", "wf-test"], { env });
  expect(resume.exitCode).toBe(0);
  expect(await edits.read("a.txt")).toBe("one\ntwo\nthree\nfour\n");
});

test("the tree of a call that is not settled stays: a resume takes from it what was paid for", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const work =
    'echo once >> "$HOME/ledger"; touch "$HOME/ready"; while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo four >> a.txt; echo done';
  const env = provider("p", work);
  const runner = await startRun(home, SOURCE, env, ["--cwd", repo.path]);
  await fileAppears(join(home.directory, "ready"));
  runner.kill("SIGKILL");
  await runner.exited;
  await writeFile(join(home.directory, "go"), "");
  while (runningFrom(home.directory).length > 0) await new Promise(setImmediate);
  await home.pallium(["workflow", "list"]);
  age(home, "wf-test", 8, "interrupted");
  expect(await gc(home)).toMatchObject({ removed: [], left_overs: [], skipped: [] });
  const resume = await home.pallium(["workflow", "resume", "wf-test"], { env });
  expect([resume.exitCode, await edits.read("a.txt")]).toEqual([0, "one\ntwo\nthree\nfour\n"]);
  expect(await readFile(join(home.directory, "ledger"), "utf8")).toBe("once\n");
});
