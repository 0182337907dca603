/** `workflow events --follow`: the journal while it grows, until the run ends. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "../support/cli.ts";
import { reading } from "../support/reading.ts";
import { startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Works until its home holds `go`. */
const WAITS =
  'echo begun; while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 0.02; done; echo done';
const ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", WAITS) };
const SOURCE = `return await agent("one", { label: "slow" });`;

function follow(home: WorkflowHome, ...flags: string[]) {
  return Bun.spawn([...PALLIUM, "workflow", "events", "wf-test", "--follow", ...flags], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function runAtWork(home: WorkflowHome) {
  const runner = await startRun(home, SOURCE, ENV);
  for (;;) {
    const { stdout } = await home.pallium(["workflow", "events", "wf-test", "--type", "started"]);
    if (stdout !== "") return runner;
  }
}

test("events --follow prints records as they are committed and ends with the run", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  const following = follow(home, "--json");
  const output = reading(following.stdout);
  await output.until('"type":"started"');
  await writeFile(join(home.directory, "go"), "");
  const lines = (await output.whole()).trimEnd().split("\n");
  expect(await following.exited).toBe(0);
  await runner.exited;
  const whole = await home.pallium(["workflow", "events", "wf-test", "--json"]);
  expect(lines).toEqual(whole.stdout.trimEnd().split("\n"));
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "run", status: "completed" });
});

test("events --follow of a run whose runner died ends with the record of that", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  const following = follow(home, "--type", "run");
  const output = reading(following.stdout);
  await output.until("status=running");
  runner.kill("SIGKILL");
  expect(await output.whole()).toContain("status=interrupted");
  expect(await following.exited).toBe(0);
  await home.pallium(["workflow", "stop", "wf-test"]);
});

test("events --follow notices at once that its reader has gone, though nothing happens", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home);
  const line = [...PALLIUM, "workflow", "events", "wf-test", "--follow"].join(" ");
  const piped = Bun.spawn(["bash", "-c", `${line} | head -n 1; echo "\${PIPESTATUS[0]}"`], {
    cwd: home.directory,
    env: home.env,
    stdout: "pipe",
  });
  expect(await piped.stdout.text()).toMatch(/status=running\n0\n$/);
  await writeFile(join(home.directory, "go"), "");
  await runner.exited;
});

test("events --follow of a run that has ended prints its journal", async () => {
  await using home = await workflowHome();
  await home.script("return 1;");
  const { stdout, exitCode } = await home.pallium(["workflow", "events", "wf-test", "--follow"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("status=completed");
});
