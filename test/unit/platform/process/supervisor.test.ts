import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedEnd } from "../../../../src/platform/process/recorded.ts";
import { runProcess } from "../../../../src/platform/process/supervisor.ts";
import { wrapped } from "../../../../src/platform/process/wrapper.ts";
import { fileAppears } from "../../../support/files.ts";
import { openSandbox, type ProcessSandbox, runningWith } from "../../../support/processes.ts";

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

const never = new AbortController().signal;
const ordinary = { timedOut: false, outputLimited: false, cancelled: false };

describe("exit status", () => {
  test.each([
    ["success", "exit 0", 0],
    ["failure", "exit 7", 7],
    ["death by a signal", "kill -KILL $$", 137],
  ])("of %s", async (_, script, exitCode) => {
    const request = sandbox.request(["sh", "-c", script]);
    expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode });
    expect(recordedEnd(request.dir)).toBe(exitCode);
  });

  test.each(["no-such-program", "./no-such-program", "exit"])(
    "of a missing program, %s",
    async (program) => {
      const request = sandbox.request([program, "7"]);
      expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode: 127 });
      expect(recordedEnd(request.dir)).toBe(127);
      expect(readFileSync(request.stdoutFile, "utf8")).toBe("");
      expect(readFileSync(request.stderrFile, "utf8")).toBe(`${program}: command not found\n`);
    },
  );

  test.skipIf(Bun.which("bash") === null)(
    "of a failure, where the shell is bash and was told to leave at the first one",
    async () => {
      const dir = sandbox.path("call");
      mkdirSync(dir);
      const [, ...args] = wrapped(dir, ["/bin/sh", "-c", "exit 7"]);
      const env = { PATH: process.env.PATH ?? "", SHELLOPTS: "errexit" };
      await Bun.spawn(["bash", "--posix", ...args], { env }).exited;
      expect(recordedEnd(dir)).toBe(7);
    },
  );

  test("of an earlier attempt in the same directory does not count", async () => {
    const first = sandbox.request(["sh", "-c", "echo first; exit 7"]);
    await runProcess(first, never);
    const second = { ...first, argv: ["sh", "-c", 'kill -KILL "$PPID"'] };
    expect(await runProcess(second, never)).toMatchObject({ ...ordinary, exitCode: null });
    expect(readFileSync(second.stdoutFile, "utf8")).toBe("");
  });
});

describe("input and output", () => {
  test("stdin is the file", async () => {
    const text = "a line\n".repeat(200_000);
    writeFileSync(sandbox.path("prompt"), text);
    const request = sandbox.request(["cat"], {
      stdinFile: sandbox.path("prompt"),
      outputLimit: 10_000_000,
    });
    expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode: 0 });
    expect(readFileSync(request.stdoutFile, "utf8")).toBe(text);
  });

  test("a program may leave its stdin unread", async () => {
    writeFileSync(sandbox.path("prompt"), "a line\n".repeat(200_000));
    const request = sandbox.request(["true"], { stdinFile: sandbox.path("prompt") });
    expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode: 0 });
  });

  test("without a file stdin is empty", async () => {
    const request = sandbox.request(["cat"]);
    expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode: 0 });
  });

  test("stdout and stderr are apart, private files", async () => {
    const request = sandbox.request(["sh", "-c", "echo out; echo err >&2"]);
    await runProcess(request, never);
    expect(readFileSync(request.stdoutFile, "utf8")).toBe("out\n");
    expect(readFileSync(request.stderrFile, "utf8")).toBe("err\n");
    expect(statSync(request.stdoutFile).mode & 0o777).toBe(0o600);
    expect(statSync(request.stderrFile).mode & 0o777).toBe(0o600);
  });

  test("the environment is the one given, and the marker", async () => {
    const env = { PATH: process.env.PATH ?? "", GREETING: "hello\nthere" };
    const request = sandbox.request(["env", "-0"], { env, marker: "run_1/call_1" });
    await runProcess(request, never);
    const names = readFileSync(request.stdoutFile, "utf8").split("\0");
    expect(names).toContain("GREETING=hello\nthere");
    expect(names).toContain("PALLIUM_CALL=run_1/call_1");
    expect(names.filter((name) => name.startsWith("HOME="))).toEqual([]);
  });

  test("directories and programs may have odd names", async () => {
    const cwd = sandbox.path("a b'\"$(touch x)\n*-ü");
    const dir = join(cwd, "-call; exit 1");
    mkdirSync(dir, { recursive: true });
    const program = "-run=me $HOME.sh";
    writeFileSync(join(cwd, program), '#!/bin/sh\npwd\nprintf "<%s>" "$@"\nexit 5\n', {
      mode: 0o700,
    });
    const argv = [`./${program}`, "", "a  b", "$(exit)", "-n", "*"];
    const files = { stdoutFile: join(dir, "stdout"), stderrFile: join(dir, "stderr") };
    const request = sandbox.request(argv, { cwd, dir, ...files });
    expect(await runProcess(request, never)).toMatchObject({ ...ordinary, exitCode: 5 });
    expect(readFileSync(request.stdoutFile, "utf8")).toBe(`${cwd}\n<><a  b><$(exit)><-n><*>`);
    expect(readdirSync(cwd).sort()).toEqual(["-call; exit 1", program]);
  });
});

describe("what cannot start", () => {
  test("a missing working directory is named", async () => {
    const cwd = sandbox.path("missing");
    const run = runProcess(sandbox.request(["true"], { cwd }), never);
    await expect(run).rejects.toMatchObject({
      code: "directory_missing",
      message: `no such directory: ${cwd}`,
    });
  });

  test("an argument over the system's limit is an error of ours", async () => {
    const run = runProcess(sandbox.request(["true", "x".repeat(3_000_000)]), never);
    await expect(run).rejects.toMatchObject({ code: "spawn_failed" });
  });

  test("an aborted signal starts nothing", async () => {
    const request = sandbox.request(["touch", "ran"]);
    const end = await runProcess(request, AbortSignal.abort());
    expect(end).toMatchObject({ ...ordinary, exitCode: null, cancelled: true });
    expect(existsSync(sandbox.path("ran"))).toBe(false);
  });
});

test("200 processes, 16 at a time, leave no process and no open file", async () => {
  const openFiles = () => readdirSync("/proc/self/fd").length;
  await runProcess(sandbox.request(["true"]), never);
  const before = openFiles();
  const requests = Array.from({ length: 200 }, (_, index) =>
    sandbox.request(["sh", "-c", `sleep 300 & echo ${index}; exit ${index}`]),
  );
  const waiting = requests.entries();
  const work = async () => {
    for (const [index, request] of waiting) {
      expect((await runProcess(request, never)).exitCode).toBe(index);
      expect(readFileSync(request.stdoutFile, "utf8")).toBe(`${index}\n`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  expect(openFiles()).toBeLessThanOrEqual(before);
}, 60_000);

describe("a command that takes its own call's directory apart is ended all the same", () => {
  test.each([
    ["removed", 'rm -rf "$0"'],
    ["a file in its place", 'rm -rf "$0"; touch "$0"'],
    ["a folder in the place of the exit status", 'mkdir "$0/exit"'],
  ])("%s", async (_, damage) => {
    const dir = sandbox.path("call-0");
    const script = `${damage}; touch damaged; sleep 300`;
    const request = sandbox.request(["sh", "-c", script, dir], { graceMs: 0 });
    const stop = new AbortController();
    const run = runProcess(request, stop.signal);
    await fileAppears(sandbox.path("damaged"));
    stop.abort();
    expect(await run).toMatchObject({ ...ordinary, cancelled: true, exitCode: null });
    expect(runningWith(request.marker)).toEqual([]);
  });

  test("also where the end cannot be noted, which is then reported", async () => {
    const dir = sandbox.path("call-0");
    const script = 'ln -s loop "$0/loop"; ln -s "$0/loop" "$0/cut"; touch damaged; sleep 300';
    const request = sandbox.request(["sh", "-c", script, dir], { graceMs: 0 });
    const stop = new AbortController();
    const run = runProcess(request, stop.signal);
    await fileAppears(sandbox.path("damaged"));
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: "io_failed" });
    expect(runningWith(request.marker)).toEqual([]);
  });
});
