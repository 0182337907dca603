import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createLooks } from "../../../../src/platform/process/looks.ts";
import {
  cut,
  endRecorded,
  hasFinished,
  recordedEnd,
} from "../../../../src/platform/process/recorded.ts";
import type { ProcessRequest } from "../../../../src/platform/process/supervisor.ts";
import { fileAppears } from "../../../support/files.ts";
import {
  isRunning,
  numberIn,
  openSandbox,
  type ProcessSandbox,
  processEnds,
} from "../../../support/processes.ts";

const supervisor = resolve(import.meta.dir, "../../../../src/platform/process/supervisor.ts");

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

/** Runs a request in a runner of its own, which is killed once the command made the file `ready`. */
async function outliveRunner(request: ProcessRequest): Promise<void> {
  const program = `
    const { runProcess } = await import(${JSON.stringify(supervisor)});
    await runProcess(${JSON.stringify(request)}, new AbortController().signal);`;
  const runner = Bun.spawn([process.execPath, "-e", program], { stdio: ["ignore", 2, 2] });
  await fileAppears(sandbox.path("ready"));
  runner.kill("SIGKILL");
  await runner.exited;
}

test("a command whose runner was killed goes on and leaves its exit status", async () => {
  const script = "touch ready; until [ -e go ]; do sleep 0.01; done; exit 9";
  const request = sandbox.request(["sh", "-c", script]);
  await outliveRunner(request);
  const pid = numberIn(`${request.dir}/pid`);
  expect(isRunning(pid)).toBe(true);
  expect(recordedEnd(request.dir)).toBeNull();
  writeFileSync(sandbox.path("go"), "");
  await processEnds(pid);
  expect(await endRecorded(request.dir, request.marker, createLooks())).toBe("nothing");
  expect(recordedEnd(request.dir)).toBe(9);
});

test("what a killed runner left is ended, with all its children", async () => {
  const script = `env -i sleep 300 & echo $! >plain
    setsid sleep 300 & echo $! >apart
    touch ready; wait`;
  const request = sandbox.request(["sh", "-c", script]);
  await outliveRunner(request);
  const pids = [`${request.dir}/pid`, sandbox.path("plain"), sandbox.path("apart")].map(numberIn);
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  expect(await endRecorded(request.dir, request.marker, createLooks())).toBe("ended");
  expect(pids.map(isRunning)).toEqual([false, false, false]);
  expect(await endRecorded(request.dir, request.marker, createLooks())).toBe("nothing");
});

test("children are found by their marker when no pid is on file", async () => {
  const request = sandbox.request(["sh", "-c", "rm call-0/pid; touch ready; exec sleep 300"]);
  await outliveRunner(request);
  expect(await endRecorded(request.dir, request.marker, createLooks())).toBe("ended");
});

test("a process without the marker is never ended, whatever the file says", async () => {
  const dir = sandbox.path("call");
  mkdirSync(dir);
  const env = { PALLIUM_CALL: "run_1/call_10" };
  const foreign = Bun.spawn(["/bin/sleep", "300"], { detached: true, env });
  writeFileSync(`${dir}/pid`, `${foreign.pid}\n`);
  expect(await endRecorded(dir, "run_1/call_1", createLooks())).toBe("nothing");
  expect(isRunning(foreign.pid)).toBe(true);
  expect(await endRecorded(dir, "run_1/call_10", createLooks())).toBe("ended");
  await foreign.exited;
});

test("a process of the recorded group without the marker does not share the fate of a stray", async () => {
  const dir = sandbox.path("call");
  mkdirSync(dir);
  const foreign = Bun.spawn(["/bin/sleep", "300"], { detached: true, env: {} });
  const stray = Bun.spawn(["/bin/sleep", "300"], {
    detached: true,
    env: { PALLIUM_CALL: "run_1/call_1" },
  });
  writeFileSync(`${dir}/pid`, `${foreign.pid}\n`);
  expect(await endRecorded(dir, "run_1/call_1", createLooks())).toBe("ended");
  expect([isRunning(stray.pid), isRunning(foreign.pid)]).toEqual([false, true]);
  foreign.kill("SIGKILL");
  await foreign.exited;
});

test.each(["", "1", "12", "-1\n", "0x10\n", "12\n13\n"])(
  "%j is no number on file",
  async (text) => {
    const dir = sandbox.path("call");
    mkdirSync(dir);
    writeFileSync(`${dir}/pid`, text);
    writeFileSync(`${dir}/exit`, text);
    expect(recordedEnd(dir)).toBeNull();
    expect(await endRecorded(dir, "run_1/call_1", createLooks())).toBe("nothing");
  },
);

test("a status that is on file before the command is cut stands, one that comes later does not", () => {
  const dir = sandbox.path("call");
  mkdirSync(dir);
  writeFileSync(`${dir}/pid`, "12\n");
  writeFileSync(`${dir}/exit`, "0\n");
  expect(cut(dir)).toBe(false);
  expect(hasFinished(dir)).toBe(true);
  rmSync(`${dir}/exit`);
  expect(cut(dir)).toBe(true);
  writeFileSync(`${dir}/exit`, "0\n");
  expect(hasFinished(dir)).toBe(false);
});

test.each([129, 130, 137, 143])("%i is the status of one that was ended", (status) => {
  const dir = sandbox.path("call");
  mkdirSync(dir);
  writeFileSync(`${dir}/exit`, `${status}\n`);
  expect(hasFinished(dir)).toBe(false);
});
