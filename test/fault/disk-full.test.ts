/** No space is left for the store while agents work. */
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { testProgram } from "../support/built-program.ts";
import { withFileLimit } from "../support/child.ts";
import { PALLIUM } from "../support/cli.ts";
import { completed, labRun } from "../support/labs/lab-run.ts";
import { TEN_CALLS } from "../support/labs/scripts.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

test("an agent at work goes on to its end and is not paid for again", async () => {
  await using home = await workflowHome();
  const script = join(home.directory, "script.js");
  await writeFile(script, `return await Promise.all(["quick", "slow"].map((x) => agent(x)));`);
  const command = `echo "$PALLIUM_WORKFLOW_PROMPT" >>"$HOME/ledger"
    case "$PALLIUM_WORKFLOW_PROMPT" in
      quick) until grep -q slow "$HOME/ledger"; do sleep 0.02; done; touch "$HOME/full";;
      slow) until [ -e "$HOME/go" ]; do sleep 0.02; done;;
    esac
    echo done`;
  const env = { ...home.env, PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
  const fault = JSON.stringify({ since: join(home.directory, "full"), fault: "full" });
  const args = ["workflow", "run", "--id", "wf", "--script", script, "--json"];
  await using runner = Bun.spawn([...testProgram("faulty-runner", fault), ...args], {
    cwd: home.directory,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let stderr = "";
  for await (const chunk of runner.stderr.pipeThrough(new TextDecoderStream())) {
    stderr += chunk;
    if (stderr.includes("finish first")) await writeFile(join(home.directory, "go"), "");
  }
  expect(await runner.exited).toBe(1);
  expect(errorOf(stderr).code).toBe("disk_full");

  const { stdout } = await home.pallium(["workflow", "resume", "wf", "--json"], { env });
  expect(JSON.parse((JSON.parse(stdout) as Snapshot).run.result ?? "")).toEqual(["done", "done"]);
  expect((await readFile(join(home.directory, "ledger"), "utf8")).split("\n").sort()).toEqual([
    "",
    "quick",
    "slow",
  ]);
});

test("a run ends with disk_full, and goes on once there is space", async () => {
  const ends = new Set<string>();
  for (const blocks of [300, 400, 500, 600]) {
    await using home = await workflowHome();
    const run = await labRun(home, `full-${process.pid}-${blocks}`, TEN_CALLS);
    const [failure] = await completed(run.start(withFileLimit(blocks, PALLIUM)));
    ends.add(failure === undefined ? "completed" : errorOf(failure).code);
    expect(await completed(run.start())).toEqual([]);
    expect(run.violations()).toEqual([]);
  }
  expect(ends).toContain("disk_full");
  expect([...ends].filter((end) => end !== "completed")).toEqual(["disk_full"]);
});
