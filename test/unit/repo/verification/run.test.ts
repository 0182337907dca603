import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { createIds } from "../../../../src/platform/ids.ts";
import { keepOutput } from "../../../../src/repo/verification/kept-output.ts";
import {
  OUTPUT_LIMIT,
  type RunPlanOptions,
  runPlan,
} from "../../../../src/repo/verification/run.ts";
import type { PlannedCommand } from "../../../../src/repo/verification/types.ts";
import { fileAppears } from "../../../support/files.ts";
import { runningWith } from "../../../support/processes.ts";
import { tempDir } from "../../../support/temp.ts";

function powers(variables: Record<string, string> = {}) {
  return {
    environment: { variables: { PATH: process.env.PATH ?? "", ...variables } },
    ids: createIds(systemClock()),
  };
}

function shell(script: string, cwd = ""): PlannedCommand {
  return { argv: ["sh", "-c", script], cwd, reason: "", ecosystem: "test" };
}

async function run(commands: readonly PlannedCommand[], options: Partial<RunPlanOptions> = {}) {
  await using dir = await tempDir();
  return await runPlan(commands, powers(), { root: dir.path, ...options });
}

test("every command of a tier is run, each with its result (repo C2)", async () => {
  const results = await run([shell("echo a"), shell("echo b >&2"), shell("exit 4")]);
  expect(results.map(({ exit_code, output }) => [exit_code, output])).toEqual([
    [0, "a\n"],
    [0, "b\n"],
    [4, ""],
  ]);
});

test("the first failure is the last command, unless it is to go on", async () => {
  const commands = [shell("exit 1"), shell("echo b")];
  expect(await run(commands)).toHaveLength(1);
  expect(await run(commands, { keepGoing: true })).toHaveLength(2);
});

test("output is handed over as it comes, whole characters at a time (repo X8)", async () => {
  const chunks: string[] = [];
  await run([shell("printf x; yes é | tr -d '\\n' | head -c 300000")], {
    onOutput: (text) => chunks.push(text),
  });
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.join("")).toBe(`x${"é".repeat(150_000)}`);
});

test("a command that times out has failed, even where it says 0", async () => {
  const [result] = await run([shell("trap 'exit 0' TERM; while :; do sleep 0.01; done")], {
    timeoutMs: 200,
    keepGoing: true,
  });
  expect(result).toMatchObject({ exit_code: 124, timed_out: true, interrupted: false });
});

test("an interruption ends the command at work and begins no other (repo X8)", async () => {
  await using dir = await tempDir();
  const stop = new AbortController();
  const recorded: number[] = [];
  const running = runPlan([shell("echo begun > begun; sleep 100"), shell("true")], powers(), {
    root: dir.path,
    keepGoing: true,
    signal: stop.signal,
    onResult: ({ exit_code }) => void recorded.push(exit_code),
  });
  await fileAppears(dir.join("begun"));
  stop.abort();
  const results = await running;
  expect(results).toMatchObject([{ exit_code: 130, interrupted: true }]);
  expect(recorded).toEqual([130]);
});

test("a result is recorded before the next command begins", async () => {
  const events: string[] = [];
  await run([shell("true"), shell("true")], {
    onStart: () => void events.push("start"),
    onResult: async () => {
      await Promise.resolve();
      events.push("recorded");
    },
  });
  expect(events).toEqual(["start", "recorded", "start", "recorded"]);
});

test("a missing program and a missing folder are results, not crashes", async () => {
  const results = await run(
    [
      { argv: ["no-such-tool"], cwd: "", reason: "", ecosystem: "x" },
      shell("true", "no/such/folder"),
    ],
    { keepGoing: true },
  );
  expect(results).toMatchObject([
    { exit_code: 127, output: "no-such-tool: command not found\n" },
    { exit_code: 126, output: expect.stringContaining("no such directory") },
  ]);
});

test("commands get the user's environment without secrets and redirections", async () => {
  await using dir = await tempDir();
  const [result] = await runPlan(
    [shell("env")],
    powers({
      HOME: "/home/x",
      GIT_DIR: "/elsewhere/.git",
      GIT_INDEX_FILE: "/elsewhere/index",
      GIT_AUTHOR_NAME: "kept",
      PALLIUM_WORKFLOW_API_TOKEN: "secret",
      BUN_OPTIONS: "--preload x",
    }),
    { root: dir.path },
  );
  expect(result?.output).toContain("GIT_AUTHOR_NAME=kept");
  expect(result?.output).not.toMatch(/GIT_DIR|GIT_INDEX_FILE|secret|BUN_OPTIONS/);
  expect(result?.output).toMatch(/PALLIUM_CALL=verify-/);
});

test("inside of a call its marker stays, so that its runner finds what is left", async () => {
  await using dir = await tempDir();
  const [result] = await runPlan([shell("env")], powers({ PALLIUM_CALL: "run/agent" }), {
    root: dir.path,
  });
  expect(result?.output).toContain("PALLIUM_CALL=run/agent\n");
  expect(runningWith("run/agent")).toEqual([]);
});

test("failures are read out of the output", async () => {
  const [result] = await run([
    shell("printf -- '--- FAIL: TestX (0.00s)\\n    x_test.go:7: no\\nFAIL\\n'; exit 1"),
  ]);
  expect(result?.failures).toMatchObject([{ name: "TestX", file: "x_test.go", line: 7 }]);
});

test("of long output the end is reported, and the failures at its beginning too", async () => {
  const [result] = await run([
    shell(
      "printf -- '--- FAIL: TestFirst (0.00s)\\n    x_test.go:7: no\\n'; yes $(printf %0100d 7) | head -n 90000; echo end; exit 1",
    ),
  ]);
  expect(result?.output.length).toBeLessThanOrEqual(OUTPUT_LIMIT);
  expect(result?.output).toMatch(/^\[… \d+ characters cut …\]\n/);
  expect(result?.output).toEndWith("end\n");
  expect(result?.failures).toMatchObject([{ name: "TestFirst" }]);
});

test("kept output has its beginning and its end, and says what is between", () => {
  const kept = keepOutput(4, 6);
  for (const part of ["ab", "cdef", "ghi", "jklmnop"]) kept.add(Buffer.from(part));
  expect(kept.text()).toBe("abcd\n[… 6 bytes cut …]\nklmnop");
  expect(kept.lost()).toBe(6);
  const whole = keepOutput(4, 6);
  whole.add(Buffer.from("abcdefgh"));
  expect(whole.text()).toBe("abcdefgh");
});
