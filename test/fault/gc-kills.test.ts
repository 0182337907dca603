/** `workflow gc` is killed on the way: the next one finishes, and no row says of files what is not so. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { PALLIUM } from "../support/cli.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import type { Fault } from "../support/faulty-runner.ts";
import { age, gc, idsOf, runsFolder } from "../support/old-runs.ts";
import { errorOf } from "../support/workflow.ts";

const FAULTY = resolve(import.meta.dir, "../support/faulty-runner.ts");
const SOURCE = `await parallel(["good", "bad"], (provider) => agent("edit", { mode: "edit", provider }));`;
const AGENTS = { good: "echo four >> a.txt; echo done", bad: "echo half > half.txt; exit 3" };
/** So many files that some are there and some not for a while. */
const FILES = 3000;

async function oldRun(): Promise<EditHome> {
  const edits = await editHome();
  const { snapshot } = await edits.script(SOURCE, AGENTS);
  expect(snapshot.run.status).toBe("completed");
  expect(await worktrees(edits)).toBe(2);
  age(edits.home, "wf-test", 8);
  return edits;
}

const worktrees = async ({ repo }: EditHome) =>
  (await repo.git("worktree", "list", "--porcelain")).match(/^worktree .*/gm)?.length;

/** Starts a gc that is killed, or kills itself. */
function start({ home }: EditHome, program: readonly string[]) {
  return Bun.spawn([...program, "workflow", "gc", "--json"], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** A run without the mark has all its files, and whatever needs them still goes. */
async function expectTrueRow(edits: EditHome): Promise<void> {
  const { home, repo } = edits;
  const { run } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
  const revert = await home.pallium(["workflow", "revert", "wf-test", "--json"], {
    cwd: repo.path,
  });
  if (run.collected_at === undefined) expect(revert.exitCode).toBe(0);
  else expect(errorOf(revert.stderr).code).toBe("run_collected");
}

async function expectFinished(edits: EditHome): Promise<void> {
  const wasThere = existsSync(runsFolder(edits.home, "wf-test"));
  expect(idsOf(await gc(edits.home))).toEqual(wasThere ? ["wf-test"] : []);
  expect(existsSync(runsFolder(edits.home, "wf-test"))).toBe(false);
  expect(await worktrees(edits)).toBe(1);
  const { run } = await edits.home.json<Snapshot>(["workflow", "show", "wf-test"]);
  expect(run.collected_at).toBeDefined();
}

test("killed at any of its writes", async () => {
  const ends: string[] = [];
  for (const fault of ["before", "after"] as const satisfies readonly Fault[]) {
    for (let at = 1; at === 1 || ends.at(-1) === "SIGKILL"; at += 1) {
      await using edits = await oldRun();
      const child = start(edits, [process.execPath, FAULTY, JSON.stringify({ at, fault })]);
      await child.exited;
      ends.push(String(child.signalCode));
      await expectTrueRow(edits);
      await expectFinished(edits);
    }
  }
  expect(ends.filter((end) => end === "SIGKILL").length).toBeGreaterThanOrEqual(4);
}, 120_000);

test("killed while it removes files", async () => {
  await using edits = await oldRun();
  const many = runsFolder(edits.home, "wf-test", "calls", "many");
  await mkdir(many, { recursive: true });
  for (let file = 0; file < FILES; file += 1) await writeFile(`${many}/${file}`, "x");
  const left = () => Array.from({ length: FILES }, (_, file) => existsSync(`${many}/${file}`));
  const child = start(edits, PALLIUM);
  while (left().every(Boolean)) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  await expectTrueRow(edits);
  await expectFinished(edits);
}, 60_000);
