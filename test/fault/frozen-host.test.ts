import { expect, test } from "bun:test";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { stateOf } from "../support/processes.ts";
import { startRun } from "../support/runner.ts";
import { workflowHome } from "../support/workflow.ts";

const STALL_SECONDS = 2;
/** Long enough for the first ping to be on its way. */
const BUSY_SECONDS = 0.8;

/** Waits in a process of its own: it is time itself that is waited for. */
async function secondsPass(seconds: number): Promise<void> {
  await Bun.spawn(["sleep", String(seconds)]).exited;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
}

test("a host that stood still for longer than the stall limit holds it against no script (C7)", async () => {
  await using home = await workflowHome();
  const flags = ["--script-stall", String(STALL_SECONDS)];
  const runner = await startRun(home, `log("busy"); for (;;) {}`, {}, flags);
  await firstLine(runner.stderr);
  await secondsPass(BUSY_SECONDS);
  runner.kill("SIGSTOP");
  await secondsPass(STALL_SECONDS + 1);
  expect(stateOf(runner.pid)).toBe("T");
  runner.kill("SIGCONT");
  await secondsPass(0.3);
  runner.kill("SIGTERM");
  const { run } = JSON.parse(await runner.stdout.text()) as Snapshot;
  expect(run).toMatchObject({ status: "stopped", error_code: "workflow_stopped" });
});
