import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { leftBehind } from "../../../../src/platform/process/adopt.ts";
import { endProcesses } from "../../../../src/platform/process/ending.ts";
import { createLooks, type LivingProcess } from "../../../../src/platform/process/looks.ts";
import { type ProcessRequest, runProcess } from "../../../../src/platform/process/supervisor.ts";
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

const never = new AbortController().signal;

/** Runs a script and aborts the run once the script has made the file `ready`. */
async function abortWhenReady(request: ProcessRequest) {
  const controller = new AbortController();
  const running = runProcess(request, controller.signal);
  await fileAppears(sandbox.path("ready"));
  const started = runningWith(request.marker);
  controller.abort();
  return { end: await running, started };
}

describe("an aborted run", () => {
  test("lets the command end in its own way", async () => {
    const script = 'trap "echo bye; exit 3" TERM; sleep 300 & touch ready; wait';
    const request = sandbox.request(["sh", "-c", script], { graceMs: 60_000 });
    const { end } = await abortWhenReady(request);
    expect(end).toMatchObject({ exitCode: 3, cancelled: true, timedOut: false });
    expect(readFileSync(request.stdoutFile, "utf8")).toBe("bye\n");
  });

  test("did not finish where it answers SIGTERM with 0, for whoever asks later", async () => {
    const script = 'trap "exit 0" TERM; sleep 300 & touch ready; wait';
    const request = sandbox.request(["sh", "-c", script], { graceMs: 60_000 });
    const { end } = await abortWhenReady(request);
    expect(end).toMatchObject({ exitCode: 0, cancelled: true });
    expect(await leftBehind(request.dir, request.marker, createLooks())).toBe(false);
  });

  test("kills what ignores SIGTERM, with its children", async () => {
    const script = 'trap "" TERM; sleep 300 & echo $! >grandchild; touch ready; wait';
    const request = sandbox.request(["sh", "-c", script], { graceMs: 200 });
    const { end, started } = await abortWhenReady(request);
    expect(end).toMatchObject({ exitCode: null, cancelled: true });
    expect(end.durationMs).toBeGreaterThanOrEqual(200);
    expect(started).toContain(numberIn(sandbox.path("grandchild")));
    expect(started.filter(isRunning)).toEqual([]);
  });

  test("ends children that made a session of their own", async () => {
    const script = "setsid sleep 300 & echo $! >grandchild; touch ready; wait";
    const request = sandbox.request(["sh", "-c", script]);
    const { end } = await abortWhenReady(request);
    expect(end).toMatchObject({ exitCode: 143, cancelled: true });
    expect(isRunning(numberIn(sandbox.path("grandchild")))).toBe(false);
  });
});

describe("a command that ends by itself leaves nothing", () => {
  test.each([
    ["a child in the background", "sleep 300 & echo $! >grandchild; exit 4"],
    ["one that ignores SIGTERM", 'trap "" TERM; sleep 300 & echo $! >grandchild; exit 4'],
    ["one in a session of its own", "setsid sleep 300 & echo $! >grandchild; exit 4"],
    ["one without the marker", "env -i sleep 300 & echo $! >grandchild; exit 4"],
    [
      "one without the marker in a group of its own",
      "bash -c 'set -m; env -i sleep 300 & echo $! >grandchild'; exit 4",
    ],
  ])("%s", async (_, script) => {
    const end = await runProcess(sandbox.request(["sh", "-c", script]), never);
    expect(end).toMatchObject({ exitCode: 4, cancelled: false, timedOut: false });
    const grandchild = numberIn(sandbox.path("grandchild"));
    expect(grandchild).toBeGreaterThan(1);
    expect(isRunning(grandchild)).toBe(false);
  });
});

test("a deadline ends the command", async () => {
  const request = sandbox.request(["sleep", "300"], { deadlineMs: 150 });
  const end = await runProcess(request, never);
  expect(end).toMatchObject({ exitCode: 143, timedOut: true, cancelled: false });
  expect(end.durationMs).toBeGreaterThanOrEqual(150);
  expect(readFileSync(request.stderrFile, "utf8")).toBe("");
});

describe("too much output", () => {
  const limit = 2_000_000;
  const totalSize = (request: ProcessRequest) =>
    [request.stdoutFile, request.stderrFile, ...(request.watchedFiles ?? [])].reduce(
      (total, path) => total + statSync(path).size,
      0,
    );

  test("ends the command, and its files are cut to the limit", async () => {
    const script = "echo note >&2; head -c 30000000 /dev/zero; exec sleep 300";
    const request = sandbox.request(["sh", "-c", script], { outputLimit: limit });
    const end = await runProcess(request, never);
    expect(end).toMatchObject({ outputLimited: true, timedOut: false, cancelled: false });
    expect(readFileSync(request.stderrFile, "utf8")).toBe("note\n");
    expect(totalSize(request)).toBe(limit);
  });

  test("gives no grace to a command that ignores SIGTERM", async () => {
    const script = 'trap "" TERM; head -c 30000000 /dev/zero; exec sleep 300';
    const request = sandbox.request(["sh", "-c", script], { outputLimit: limit, graceMs: 60_000 });
    expect(await runProcess(request, never)).toMatchObject({ outputLimited: true });
    expect(totalSize(request)).toBe(limit);
  });

  test("is found when the command has ended already", async () => {
    const request = sandbox.request(["echo", "a few words"], { outputLimit: 5 });
    const end = await runProcess(request, never);
    expect(end).toMatchObject({ exitCode: 0, outputLimited: true });
    expect(readFileSync(request.stdoutFile, "utf8")).toBe("a few");
  });

  test("counts watched files", async () => {
    const script = "head -c 1500000 /dev/zero; head -c 1500000 /dev/zero >answer; exec sleep 300";
    const request = sandbox.request(["sh", "-c", script], {
      outputLimit: limit,
      watchedFiles: [sandbox.path("answer")],
    });
    expect(await runProcess(request, never)).toMatchObject({ outputLimited: true });
    expect(totalSize(request)).toBe(limit);
  });

  test("never cuts a file through a link the command put in place", async () => {
    writeFileSync(sandbox.path("precious"), "x".repeat(3_000_000));
    symlinkSync(sandbox.path("precious"), sandbox.path("answer"));
    const request = sandbox.request(["head", "-c", "30000000", "/dev/zero"], {
      outputLimit: limit,
      watchedFiles: [sandbox.path("answer")],
    });
    expect(await runProcess(request, never)).toMatchObject({ outputLimited: true });
    expect(statSync(sandbox.path("precious")).size).toBe(3_000_000);
  });
});

describe("many commands that are ended at once", () => {
  /** As many as wide runs have at work. */
  const MANY = 96;
  const leaders = () =>
    Array.from({ length: MANY }, () => {
      const child = Bun.spawn(["sleep", "300"], { detached: true, env: {} });
      return { pid: child.pid, gone: child.exited };
    });

  test("have their signal before anybody looks at the processes (P2)", async () => {
    const all = leaders();
    const looks = createLooks();
    const lookLate = () => Promise.all(all.map(({ gone }) => gone)).then(looks);
    const ends = all.map((leader) =>
      endProcesses({ leader }, { graceMs: 60_000, looks: lookLate }),
    );
    expect(await Promise.all(ends)).toEqual(Array(MANY).fill(true));
  });

  test("share the looks that verify their end (P2)", async () => {
    const looks = createLooks();
    const taken = new Set<readonly LivingProcess[]>();
    const counted = async () => {
      const look = await looks();
      taken.add(look);
      return look;
    };
    const ends = leaders().map((leader) =>
      endProcesses({ leader, marker: "none" }, { graceMs: 60_000, looks: counted }),
    );
    await Promise.all(ends);
    expect(taken.size).toBeLessThan(MANY / 4);
  });
});

test("a process that was given the pid of a leader is left alone, with its group", async () => {
  const foreign = Bun.spawn(["sleep", "300"], { detached: true, env: {} });
  const leader = { pid: foreign.pid, gone: Promise.resolve() };
  expect(await endProcesses({ leader }, { graceMs: 0 })).toBe(false);
  expect(isRunning(foreign.pid)).toBe(true);
  foreign.kill("SIGKILL");
  await foreign.exited;
});
