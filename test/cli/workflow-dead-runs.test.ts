/** Processes die while runs are being ended: what they left is ended by whoever is asked next. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord, Snapshot } from "../../src/workflow/run/types.ts";
import { PALLIUM } from "../support/cli.ts";
import { fileAppears } from "../support/files.ts";
import { isGone, startRun } from "../support/runner.ts";
import { errorOf, provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** An agent that notes each SIGTERM and goes on until it is let go; its child takes none at all. */
const STUBBORN = [
  '(trap "" TERM; exec sleep 300) & echo "$!" > "$HOME/grandchild"',
  `trap 'touch "$HOME/termed"' TERM`,
  'echo "$$" > "$HOME/child"; mv "$HOME/child" "$HOME/ready"',
  'while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 0.05; done',
].join("; ");
const SOURCE = `return await agent("one");`;
const ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", STUBBORN) };

async function runAtWork(home: WorkflowHome) {
  const runner = await startRun(home, SOURCE, ENV);
  await fileAppears(join(home.directory, "ready"));
  return runner;
}

/** Asks for an end and does not wait for it. */
function ask(home: WorkflowHome, verb: "stop" | "pause") {
  return Bun.spawn([...PALLIUM, "workflow", verb, "wf-test", "--json"], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function rowOf(home: WorkflowHome): Promise<RunRecord> {
  return (await home.json<Snapshot>(["workflow", "show", "wf-test"])).run;
}

async function expectNothingLeft(home: WorkflowHome): Promise<void> {
  expect([await isGone(home, "ready"), await isGone(home, "grandchild")]).toEqual([true, true]);
}

test("a runner that dies while it ends its workers leaves them to the stop that asked", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  const stop = ask(home, "stop");
  await fileAppears(join(home.directory, "termed"));
  runner.kill("SIGKILL");
  await runner.exited;
  expect(await stop.stdout.json()).toEqual({ id: "wf-test", status: "stopped", unchanged: false });
  expect(await rowOf(home)).toMatchObject({ status: "stopped", error: "workflow stopped" });
  await expectNothingLeft(home);
});

test("a stop that dies while it ends the workers of a dead run leaves them to the next", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  runner.kill("SIGKILL");
  await runner.exited;
  const first = ask(home, "stop");
  await fileAppears(join(home.directory, "termed"));
  const resume = await home.pallium(["workflow", "resume", "wf-test", "--json"], { env: ENV });
  expect(errorOf(resume.stderr).code).toBe("run_owned");
  first.kill("SIGKILL");
  await first.exited;
  expect(await isGone(home, "ready")).toBe(false);
  const second = await home.json<object>(["workflow", "stop", "wf-test"]);
  expect(second).toEqual({ id: "wf-test", status: "stopped", unchanged: false });
  expect((await rowOf(home)).status).toBe("stopped");
  await expectNothingLeft(home);
});

test("a run that is paused and then stopped while its workers end was stopped", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  const pause = ask(home, "pause");
  await fileAppears(join(home.directory, "termed"));
  const stop = ask(home, "stop");
  using store = new Database(join(home.directory, ".pallium", "pallium.sqlite"), {
    readonly: true,
  });
  const asked = store.query<{ action: string }, []>("SELECT action FROM workflow_controls");
  while (asked.all().length < 2) await new Promise(setImmediate);
  await writeFile(join(home.directory, "go"), "");
  for (const command of [pause, stop]) {
    expect(await command.stdout.json()).toMatchObject({ status: "stopped" });
  }
  expect(await runner.exited).toBe(1);
  expect(await rowOf(home)).toMatchObject({
    status: "stopped",
    error: "workflow stopped",
    error_code: "workflow_stopped",
  });
  await expectNothingLeft(home);
});
