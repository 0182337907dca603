/** `workflow import` and `export` are killed on the way: all of the run is there, or nothing for long. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { PALLIUM } from "../support/cli.ts";
import type { Fault } from "../support/faulty-runner.ts";
import { failingAt, startWorkflowCommand } from "../support/killed-commands.ts";
import { gc, runsFolder } from "../support/old-runs.ts";
import { rowsOf } from "../support/run-rows.ts";
import { type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** So many files that some are there and some not for a while. */
const MANY = 2000;
const FEW = 20;

async function exportedRun(home: WorkflowHome, files: number): Promise<string> {
  await home.script(`phase("a"); return agent("x");`, { stub: "said" });
  const many = runsFolder(home, "wf-test", "calls", "many");
  await mkdir(many, { recursive: true });
  for (let at = 0; at < files; at += 1) await writeFile(join(many, String(at)), String(at));
  await home.json(["workflow", "export", "wf-test"]);
  return join(home.directory, "wf-test.pallium.tar.gz");
}

/** @returns whether the run is there; then all of it is. */
async function isWhole(home: WorkflowHome, files: number): Promise<boolean> {
  const listed = await home.json<{ id: string }[]>(["workflow", "list"]);
  if (listed.length === 0) {
    expect(existsSync(runsFolder(home, "wf-test"))).toBe(false);
    expect(rowsOf(home, "wf-test")).toEqual({});
    return false;
  }
  const { agents } = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
  expect(agents).toMatchObject([{ output: "said" }]);
  expect(await readdir(runsFolder(home, "wf-test", "calls", "many"))).toHaveLength(files);
  return true;
}

test("an import that is killed at any of its writes", async () => {
  await using source = await workflowHome();
  const file = await exportedRun(source, FEW);
  const ends: string[] = [];
  const whole: boolean[] = [];
  for (const fault of ["before", "after"] as const satisfies readonly Fault[]) {
    for (let at = 1; at === 1 || ends.at(-1) === "SIGKILL"; at += 1) {
      await using home = await workflowHome();
      const child = startWorkflowCommand(home, failingAt(at, fault), "import", file);
      await child.exited;
      ends.push(String(child.signalCode));
      whole.push(await isWhole(home, FEW));
      if (!whole.at(-1)) {
        expect((await home.pallium(["workflow", "import", file])).exitCode).toBe(0);
        expect(await isWhole(home, FEW)).toBe(true);
      }
      await gc(home);
      expect(await readdir(runsFolder(home))).toEqual(["wf-test"]);
    }
  }
  expect(ends.filter((end) => end === "SIGKILL")).toHaveLength(4);
  expect(whole).toEqual([false, false, true, false, true, true]);
}, 180_000);

test("an import that is killed while it unpacks leaves a folder that gc removes", async () => {
  await using source = await workflowHome();
  const file = await exportedRun(source, MANY);
  await using home = await workflowHome();
  const child = startWorkflowCommand(home, PALLIUM, "import", file);
  const folder = runsFolder(home);
  const unpacked = async () => {
    const [staging = ""] = await readdir(folder).catch(() => []);
    return existsSync(join(folder, staging, "files", "calls", "many"));
  };
  while (!(await unpacked())) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  const [staging = ""] = await readdir(folder);
  expect(staging).toStartWith(".import-");
  expect(await isWhole(home, MANY)).toBe(false);
  const planned = await gc(home, "--dry-run");
  expect(planned.left_overs).toMatchObject([{ id: staging, path: join(folder, staging) }]);
  expect((await gc(home)).left_overs).toEqual(planned.left_overs);
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

test("a gc leaves the folder of an import at work alone", async () => {
  await using source = await workflowHome();
  const file = await exportedRun(source, MANY);
  await using home = await workflowHome();
  const child = startWorkflowCommand(home, PALLIUM, "import", file);
  while ((await readdir(runsFolder(home)).catch(() => [])).length === 0)
    await new Promise(setImmediate);
  child.kill("SIGSTOP");
  expect((await gc(home)).left_overs).toEqual([]);
  child.kill("SIGCONT");
  expect(await child.exited).toBe(0);
  expect(await isWhole(home, MANY)).toBe(true);
}, 60_000);

test("an export that is killed leaves no file under its name", async () => {
  await using home = await workflowHome();
  await exportedRun(home, MANY);
  const child = startWorkflowCommand(home, PALLIUM, "export", "wf-test", "--output", "half.tgz");
  const begun = async () =>
    (await readdir(home.directory)).some((name) => name.startsWith(".half.tgz."));
  while (!(await begun())) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(join(home.directory, "half.tgz"))).toBe(false);
  expect(
    (await home.pallium(["workflow", "export", "wf-test", "--output", "half.tgz"])).exitCode,
  ).toBe(0);
}, 60_000);
