/** `workflow gc` is killed on the way: the next one finishes, and no row says of files what is not so. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { PALLIUM } from "../support/cli.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import type { Fault } from "../support/faulty-runner.ts";
import {
  EDITED_AND_FAILED,
  failingAt,
  startWorkflowCommand,
  worktreeCount,
} from "../support/killed-commands.ts";
import { age, gc, idsOf, runsFolder } from "../support/old-runs.ts";
import { errorOf } from "../support/workflow.ts";

const { source: SOURCE, agents: AGENTS } = EDITED_AND_FAILED;
/** So many files that some are there and some not for a while. */
const FILES = 3000;

async function oldRun(): Promise<EditHome> {
  const edits = await editHome();
  const { snapshot } = await edits.script(SOURCE, AGENTS);
  expect(snapshot.run.status).toBe("completed");
  expect(await worktreeCount(edits)).toBe(2);
  age(edits.home, "wf-test", 8);
  return edits;
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
  expect(await worktreeCount(edits)).toBe(1);
  const { run } = await edits.home.json<Snapshot>(["workflow", "show", "wf-test"]);
  expect(run.collected_at).toBeDefined();
}

test("killed at any of its writes", async () => {
  const ends: string[] = [];
  for (const fault of ["before", "after"] as const satisfies readonly Fault[]) {
    for (let at = 1; at === 1 || ends.at(-1) === "SIGKILL"; at += 1) {
      await using edits = await oldRun();
      const child = startWorkflowCommand(edits.home, failingAt(at, fault), "gc", "--json");
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
  const child = startWorkflowCommand(edits.home, PALLIUM, "gc", "--json");
  while (left().every(Boolean)) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  await expectTrueRow(edits);
  await expectFinished(edits);
}, 60_000);
