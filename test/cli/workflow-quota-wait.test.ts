/** A run whose process waits for a quota is ended from elsewhere: the process goes, the run stays. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EndedRun } from "../../src/workflow/run/end-from-outside.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { lineOf, startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const RESET = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);

/** Until the file `open` is there, the quota is used up. */
const ENV = {
  PALLIUM_WORKFLOW_PROVIDER: "p",
  ...provider(
    "p",
    `if [ -e "$HOME/open" ]; then echo answered
     else echo "You've hit your usage limit|${RESET.getTime() / 1000}"; exit 1; fi`,
  ),
};
const SCRIPT = `return await agent("x");`;

/** Returns once it waits; `stderr` is all that it says until its end. */
async function waitingRun(home: WorkflowHome) {
  const runner = await startRun(home, SCRIPT, ENV, ["--resume-after-quota"]);
  const waiting = Promise.withResolvers<void>();
  const stderr = (async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of runner.stderr) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("waiting until")) waiting.resolve();
    }
    waiting.reject(new Error(`it did not wait: ${text}`));
    return text;
  })();
  await waiting.promise;
  return { runner, stderr };
}

describe("a run that waits for its quota", () => {
  test("is paused from elsewhere: the wait ends, and the time of the reset is kept", async () => {
    await using home = await workflowHome();
    const { runner, stderr } = await waitingRun(home);
    const paused = await home.json<EndedRun>(["workflow", "pause", "wf-test"]);
    expect(paused).toEqual({ id: "wf-test", status: "paused", unchanged: false });
    expect(await runner.exited).toBe(1);
    expect(await stderr).toContain("not waited for any more");
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run).toMatchObject({
      status: "paused",
      error_code: "provider_quota",
      resume_after: RESET.toISOString(),
    });

    await writeFile(join(home.directory, "open"), "");
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], ENV);
    expect(resumed.run).toMatchObject({ status: "completed", result: "answered" });
  });

  test("is stopped from elsewhere, and can be resumed all the same", async () => {
    await using home = await workflowHome();
    const { runner } = await waitingRun(home);
    const stopped = await home.json<EndedRun>(["workflow", "stop", "wf-test"]);
    expect(stopped).toEqual({ id: "wf-test", status: "stopped", unchanged: false });
    expect(await runner.exited).toBe(1);
    const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
    expect(run.status).toBe("stopped");
    expect(run.resume_after).toBeUndefined();

    await writeFile(join(home.directory, "open"), "");
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], ENV);
    expect(resumed.run).toMatchObject({ status: "completed", result: "answered" });
  });

  test("is let go by its process when another resumes it", async () => {
    await using home = await workflowHome();
    const { runner } = await waitingRun(home);
    await writeFile(join(home.directory, "open"), "");
    const resumed = await home.json<Snapshot>(["workflow", "resume", "wf-test"], ENV);
    expect(resumed.run).toMatchObject({ status: "completed", result: "answered" });
    expect(await runner.exited).toBeNumber();
    const shown = await home.json<Snapshot>(["workflow", "show", "wf-test"]);
    expect(shown.agents.map(({ outcome }) => outcome)).toEqual(["quota", "ok"]);
  });
});

test("a run that somebody paused has nothing to pause", async () => {
  await using home = await workflowHome();
  const runner = await startRun(
    home,
    SCRIPT,
    { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "echo on >&2; exec sleep 60") },
    ["--verbose"],
  );
  await lineOf(runner.stderr, "started");
  const first = await home.json<EndedRun>(["workflow", "pause", "wf-test"]);
  expect(first).toEqual({ id: "wf-test", status: "paused", unchanged: false });
  await runner.exited;
  const second = await home.json<EndedRun>(["workflow", "pause", "wf-test"]);
  expect(second).toEqual({ id: "wf-test", status: "paused", unchanged: true });
});
