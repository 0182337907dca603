/** `workflow delete` is killed on the way: all of the run is left, or the next command finishes. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { PALLIUM } from "../support/cli.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import type { Fault } from "../support/faulty-runner.ts";
import {
  EDITED_AND_FAILED,
  failingAt,
  startWorkflowCommand,
  worktreeCount,
} from "../support/killed-commands.ts";
import { runsFolder } from "../support/old-runs.ts";
import { rowsOf } from "../support/run-rows.ts";

const { source: SOURCE, agents: AGENTS } = EDITED_AND_FAILED;
/** So many files that some are there and some not for a while. */
const FILES = 3000;

/** @returns whether the run is there; then whatever needs its rows and files goes. */
async function isWhole(edits: EditHome): Promise<boolean> {
  const { home, repo } = edits;
  const listed = await home.json<{ id: string }[]>(["workflow", "list"]);
  if (listed.length === 0) {
    expect(existsSync(runsFolder(home, "wf-test"))).toBe(false);
    expect(rowsOf(home, "wf-test")).toEqual({});
    expect(await worktreeCount(edits)).toBe(1);
    return false;
  }
  const cwd = repo.path;
  for (const verb of ["revert", "apply"]) {
    expect((await home.pallium(["workflow", verb, "wf-test"], { cwd })).exitCode).toBe(0);
  }
  return true;
}

test("killed at any of its writes", async () => {
  const ends: string[] = [];
  const whole: boolean[] = [];
  for (const fault of ["before", "after"] as const satisfies readonly Fault[]) {
    for (let at = 1; at === 1 || ends.at(-1) === "SIGKILL"; at += 1) {
      await using edits = await editHome();
      await edits.script(SOURCE, AGENTS);
      const child = startWorkflowCommand(edits.home, failingAt(at, fault), "delete", "wf-test");
      await child.exited;
      ends.push(String(child.signalCode));
      const isLeft = await isWhole(edits);
      whole.push(isLeft);
      if (!isLeft) continue;
      const deleted = await edits.home.pallium(["workflow", "delete", "wf-test"]);
      expect(deleted.exitCode).toBe(0);
      expect(await isWhole(edits)).toBe(false);
    }
  }
  expect(ends.filter((end) => end === "SIGKILL")).toHaveLength(6);
  expect(whole).toEqual([true, true, false, false, true, false, false, false]);
}, 120_000);

test("killed while it removes files", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, AGENTS);
  const many = runsFolder(edits.home, "wf-test", "calls", "many");
  await mkdir(many, { recursive: true });
  for (let file = 0; file < FILES; file += 1) await writeFile(`${many}/${file}`, "x");
  const left = () => Array.from({ length: FILES }, (_, file) => existsSync(`${many}/${file}`));
  const child = startWorkflowCommand(edits.home, PALLIUM, "delete", "wf-test");
  while (left().every(Boolean)) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  expect(await isWhole(edits)).toBe(false);
}, 60_000);

test("what a killed one left is finished before its id is used again", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, AGENTS);
  const child = startWorkflowCommand(edits.home, failingAt(2, "after"), "delete", "wf-test");
  await child.exited;
  expect(existsSync(edits.runFile("patches"))).toBe(true);
  const { snapshot } = await edits.script("return 1;");
  expect(snapshot.run.status).toBe("completed");
  expect(existsSync(edits.runFile("patches"))).toBe(false);
  expect(await worktreeCount(edits)).toBe(1);
}, 60_000);
