import { afterEach, beforeEach, expect, test } from "bun:test";
import { type CaptureOptions, capture } from "../../../../src/platform/process/capture.ts";
import {
  isRunning,
  numberIn,
  openSandbox,
  type ProcessSandbox,
} from "../../../support/processes.ts";

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

function run(argv: readonly string[], changes: Partial<CaptureOptions> = {}) {
  return capture(argv, {
    cwd: sandbox.root,
    env: { PATH: process.env.PATH ?? "" },
    timeoutMs: 60_000,
    outputLimit: 10_000_000,
    ...changes,
  });
}

const complete = { timedOut: false, truncated: false };

test("returns what a program printed and its exit status", async () => {
  const script = "printf '\\357\\273\\277ü\\n'; echo err >&2; exit 7";
  expect(await run(["sh", "-c", script])).toEqual({
    ...complete,
    exitCode: 7,
    stdout: "\u{feff}ü\n",
    stderr: "err\n",
  });
});

test("stdin is empty, or the text given", async () => {
  expect(await run(["cat"])).toMatchObject({ ...complete, exitCode: 0, stdout: "" });
  const input = "a line\n".repeat(500_000);
  const captured = await run(["cat"], { input });
  expect(captured).toMatchObject({ ...complete, exitCode: 0 });
  expect(captured.stdout === input).toBe(true);
  expect(await run(["true"], { input })).toMatchObject({ ...complete, exitCode: 0 });
});

test("reports signals and missing programs as a shell does", async () => {
  expect(await run(["sh", "-c", "kill -KILL $$"])).toMatchObject({ ...complete, exitCode: 137 });
  expect(await run(["no-such-program"])).toMatchObject({
    ...complete,
    exitCode: 127,
    stderr: "no-such-program: command not found\n",
  });
});

test("ends the whole group when the time is over", async () => {
  const script = 'trap "" TERM; sleep 300 & echo $! >grandchild; echo started; wait';
  const captured = await run(["sh", "-c", script], { timeoutMs: 200 });
  expect(captured).toMatchObject({ timedOut: true, exitCode: 137, stdout: "started\n" });
  expect(isRunning(numberIn(sandbox.path("grandchild")))).toBe(false);
});

test("ends a program that prints too much, and says so", async () => {
  const captured = await run(["sh", "-c", "echo note >&2; exec yes"], { outputLimit: 1000 });
  expect(captured).toMatchObject({ truncated: true, timedOut: false });
  expect(captured.stdout.length + captured.stderr.length).toBe(1000);
});

test("output of exactly the limit is whole", async () => {
  const captured = await run(["head", "-c", "1000", "/dev/zero"], { outputLimit: 1000 });
  expect(captured).toMatchObject({ ...complete, exitCode: 0 });
});

test("a child that keeps the output open is ended after the program", async () => {
  const captured = await run(["sh", "-c", "sleep 300 & echo $! >grandchild; echo done"]);
  expect(captured).toMatchObject({ exitCode: 0, stdout: "done\n", truncated: true });
  expect(isRunning(numberIn(sandbox.path("grandchild")))).toBe(false);
});

test("a missing working directory is named", async () => {
  const captured = run(["true"], { cwd: sandbox.path("missing") });
  await expect(captured).rejects.toMatchObject({ code: "directory_missing" });
});
