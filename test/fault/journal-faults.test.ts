/** The runner fails at each of its writes in turn; the ordinary program then goes on. */
import { expect, test } from "bun:test";
import { nextPoints, strideOf } from "../support/fault-points.ts";
import type { Fault } from "../support/faulty-runner.ts";
import { failingAt } from "../support/killed-commands.ts";
import { completed, type LabRun, labRun } from "../support/labs/lab-run.ts";
import { TEN_CALLS } from "../support/labs/scripts.ts";
import { errorOf, workflowHome } from "../support/workflow.ts";

const AT_ONCE = 2;
/** Processes that are killed at a write are not charged for it: a call of theirs may begin again. */
const RESULT = JSON.stringify(
  {
    first: [
      ["answer of a1", "answer of a2", "answer of a3"],
      ["answer of p1.y"],
      { ok: true },
      ["answer of same", "answer of same"],
    ],
    last: "answer of last",
    ok: true,
  },
  null,
  2,
);

/** @returns how the faulty runner ended, once the run has been resumed and looked at. */
async function failAt(at: number, fault: Fault): Promise<string> {
  await using home = await workflowHome();
  const run = await labRun(home, `fault-${process.pid}-${fault}-${at}`, TEN_CALLS);
  const program = failingAt(at, fault);
  const end = await endOf(run, program);
  const violations = [...(await completed(run.start())), ...run.violations()];
  expect({ at, end, violations, result: run.result() }).toMatchObject({
    violations: [],
    result: RESULT,
  });
  return end;
}

async function endOf(run: LabRun, program: readonly string[]): Promise<string> {
  const runner = run.start(program);
  const [exitCode, , stderr] = await Promise.all([
    runner.exited,
    runner.stdout.text(),
    runner.stderr.text(),
  ]);
  if (exitCode === 0) return "completed";
  return runner.signalCode === null ? errorOf(stderr).code : String(runner.signalCode);
}

// Between two writes there is one state, whether the first was made or the second is not: every other
// write is enough where both sides of it are tried.
test.each([
  ["before", "SIGKILL", 2],
  ["after", "SIGKILL", 2],
  ["full", "disk_full", 3],
] as const)(
  "a fault of the kind %s at any write of a run loses and repeats no call",
  async (fault, expected, apart) => {
    const stride = strideOf(apart);
    const ends: string[] = [];
    while (!ends.includes("completed")) {
      const next = nextPoints(ends.length, AT_ONCE, stride);
      ends.push(...(await Promise.all(next.map((at) => failAt(at, fault)))));
    }
    const failed = ends.slice(0, ends.indexOf("completed"));
    expect(new Set(failed)).toEqual(new Set([expected]));
    expect(failed.length * stride).toBeGreaterThan(TEN_CALLS.calls);
  },
  240_000,
);
