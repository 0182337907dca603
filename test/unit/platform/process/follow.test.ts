import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type FollowOptions, follow } from "../../../../src/platform/process/follow.ts";
import { fileAppears } from "../../../support/files.ts";
import {
  isRunning,
  numberIn,
  openSandbox,
  type ProcessSandbox,
  runningWith,
} from "../../../support/processes.ts";

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

function followed(argv: readonly string[], options: Partial<FollowOptions> = {}) {
  const chunks: Uint8Array[] = [];
  const marker = sandbox.request(argv).marker;
  const end = follow(argv, {
    cwd: sandbox.root,
    env: { PATH: process.env.PATH ?? "" },
    marker,
    graceMs: 300,
    onOutput: (bytes) => chunks.push(bytes),
    ...options,
  });
  return { end, marker, text: () => Buffer.concat(chunks).toString("utf8") };
}

const shell = (script: string) => ["sh", "-c", script];

test("both streams come in the order in which they were written", async () => {
  const { end, text } = followed(shell("for i in 1 2 3; do echo o$i; echo e$i >&2; done; exit 3"));
  expect(await end).toMatchObject({ exitCode: 3, timedOut: false, interrupted: false });
  expect(text()).toBe("o1\ne1\no2\ne2\no3\ne3\n");
});

test("output arrives while the command runs (repo X8)", async () => {
  const go = sandbox.path("go");
  const { end, text } = followed(shell(`echo first; until [ -e '${go}' ]; do sleep 0.01; done`), {
    onOutput: () => writeFileSync(go, ""),
  });
  expect((await end).exitCode).toBe(0);
  expect(text()).toBe("");
});

test("stdin is empty", async () => {
  const { end, text } = followed(["cat"]);
  expect((await end).exitCode).toBe(0);
  expect(text()).toBe("");
});

test("a time limit ends the whole group, also what ignores SIGTERM (repo X8)", async () => {
  const script = `trap '' TERM; (trap '' TERM; sleep 100) & echo $! > child; sleep 100`;
  const { end } = followed(shell(script), { timeoutMs: 1000 });
  expect(await end).toMatchObject({ timedOut: true, interrupted: false });
  expect(isRunning(numberIn(sandbox.path("child")))).toBe(false);
});

test("an abort ends the whole group, and what left it (repo X8)", async () => {
  const stop = new AbortController();
  const { end, marker } = followed(
    shell("setsid sleep 100 & sleep 100 & echo ready > ready.tmp; mv ready.tmp ready; wait"),
    { signal: stop.signal },
  );
  await fileAppears(sandbox.path("ready"));
  expect(runningWith(marker).length).toBeGreaterThanOrEqual(2);
  stop.abort();
  expect(await end).toMatchObject({ interrupted: true });
  expect(runningWith(marker)).toEqual([]);
});

test("nothing is begun under an aborted signal", async () => {
  const { end } = followed(shell("touch begun"), { signal: AbortSignal.abort() });
  expect(await end).toMatchObject({ exitCode: 130, interrupted: true });
  expect(await Bun.file(sandbox.path("begun")).exists()).toBe(false);
});

test("what a command leaves behind is ended, though it holds the output open", async () => {
  const { end, marker, text } = followed(shell("sleep 100 & echo done"));
  expect(await end).toMatchObject({ exitCode: 0, timedOut: false });
  expect(text()).toBe("done\n");
  expect(runningWith(marker)).toEqual([]);
});

test("a signal and a missing program have the statuses of a shell", async () => {
  expect((await followed(shell("kill -9 $$")).end).exitCode).toBe(137);
  const missing = followed(["no-such-program-here"]);
  expect((await missing.end).exitCode).toBe(127);
  expect(missing.text()).toBe("no-such-program-here: command not found\n");
});

test("a program in the folder is found by a path, never by its bare name", async () => {
  writeFileSync(sandbox.path("tool"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
  expect((await followed(["./tool"]).end).exitCode).toBe(0);
  const bare = followed(["tool"], { env: { PATH: `.:${process.env.PATH}` } });
  expect((await bare.end).exitCode).toBe(127);
});
