/** `workflow events --follow`: the journal while it grows, until the run ends. */
import { expect, test } from "bun:test";
import { headOf, letGo, runAtWork, spawnOn } from "../support/live-runs.ts";
import { reading } from "../support/reading.ts";
import { workflowHome } from "../support/workflow.ts";

const SOURCE = `return await agent("one", { label: "slow" });`;

test("events --follow prints records as they are committed and ends with the run", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home, SOURCE);
  const following = spawnOn(home, "events", "--follow", "--json");
  const output = reading(following.stdout);
  await output.until('"type":"started"');
  await letGo(home);
  const lines = (await output.whole()).trimEnd().split("\n");
  expect(await following.exited).toBe(0);
  await runner.exited;
  const whole = await home.pallium(["workflow", "events", "wf-test", "--json"]);
  expect(lines).toEqual(whole.stdout.trimEnd().split("\n"));
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "run", status: "completed" });
});

test("events --follow of a run whose runner died ends with the record of that", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home, SOURCE);
  const following = spawnOn(home, "events", "--follow", "--type", "run");
  const output = reading(following.stdout);
  await output.until("status=running");
  runner.kill("SIGKILL");
  expect(await output.whole()).toContain("status=interrupted");
  expect(await following.exited).toBe(0);
  await home.pallium(["workflow", "stop", "wf-test"]);
});

test("events --follow notices at once that its reader has gone, though nothing happens", async () => {
  await using home = await workflowHome();
  const runner = await runAtWork(home, SOURCE);
  expect(await headOf(home, "events", "--follow")).toMatch(/status=running\n0\n$/);
  await letGo(home);
  await runner.exited;
});

test("events --follow of a run that has ended prints its journal", async () => {
  await using home = await workflowHome();
  await home.script("return 1;");
  const { stdout, exitCode } = await home.pallium(["workflow", "events", "wf-test", "--follow"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("status=completed");
});
