import { afterEach, beforeEach, expect, test } from "bun:test";
import { runProcess } from "../../../../src/platform/process/supervisor.ts";
import { processTable } from "../../../../src/platform/process/table.ts";
import { macosTable } from "../../../../src/platform/process/table-macos.ts";
import { openSandbox, type ProcessSandbox, runningWith } from "../../../support/processes.ts";

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
});
afterEach(() => sandbox.close());

test("this process is listed, with its group", () => {
  const own = processTable.row(process.pid);
  expect(own).toMatchObject({ pid: process.pid, alive: true });
  expect(processTable.find((row) => row.pid === process.pid)).toMatchObject([{ ...own }]);
});

test("macOS lists this process by ps as Linux does by /proc", () => {
  const { pid, group, alive } = processTable.row(process.pid) ?? {};
  const own = {
    pid,
    group,
    alive,
    startTime: expect.stringMatching(/^\w+ \w+ +\d+ [\d:]+ \d{4}$/),
  };
  expect(macosTable.row(process.pid)).toMatchObject(own);
  expect(macosTable.find((row) => row.pid === process.pid)).toMatchObject([own]);
});

test("the environment is matched by whole entries", async () => {
  const child = Bun.spawn(["sleep", "300"], { env: { FIRST: "run/1", LÄST: "ü" } });
  const matches = (name: string, value: string) =>
    processTable.startedWith(name)(child.pid).includes(value);
  expect(matches("FIRST", "run/1")).toBe(true);
  expect(matches("LÄST", "ü")).toBe(true);
  expect(matches("FIRST", "run/")).toBe(false);
  expect(matches("FIRST", "run/11")).toBe(false);
  expect(matches("IRST", "run/1")).toBe(false);
  child.kill("SIGKILL");
  await child.exited;
});

test("a process is recognised from its first moment, when its environment is still being laid out", async () => {
  for (let index = 0; index < 200; index++) {
    const child = Bun.spawn(["sleep", "300"], { env: { CALL: `${index}` } });
    const recognised = processTable.startedWith("CALL")(child.pid).includes(`${index}`);
    child.kill("SIGKILL");
    await child.exited;
    expect(recognised).toBe(true);
  }
});

test("a child that changes pid and session while it is looked for is found", async () => {
  const script = "setsid sh -c '(setsid sleep 300 &)' & exit 0";
  for (let index = 0; index < 60; index++) {
    const request = sandbox.request(["sh", "-c", script], { graceMs: 0 });
    await runProcess(request, new AbortController().signal);
    expect(runningWith(request.marker)).toEqual([]);
  }
}, 30_000);
