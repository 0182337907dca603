import { describe, expect, test } from "bun:test";
import { isEmptyResult } from "../../../../src/workflow/reports/empty-result.ts";
import { inspect, statusReport } from "../../../../src/workflow/reports/status.ts";
import type { AgentRecord, RunRecord, Snapshot } from "../../../../src/workflow/run/types.ts";

const AT = "2026-12-02T03:00:00.000Z";

function agent(index: number, fields: Partial<AgentRecord>): AgentRecord {
  return {
    id: `agent-${index}`,
    run_id: "wf-1",
    call_index: index,
    prompt: "p",
    provider: "codex",
    mode: "read-only",
    status: "completed",
    outcome: "ok",
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

function snapshot(run: Partial<RunRecord>, agents: readonly AgentRecord[]): Snapshot {
  return {
    run: {
      id: "wf-1",
      task: "t",
      cwd: "/r",
      script_path: "/s",
      status: "completed",
      created_at: AT,
      updated_at: AT,
      ...run,
    },
    phases: [],
    agents,
  };
}

describe("isEmptyResult()", () => {
  test.each([
    "",
    "null",
    "{}",
    "[]",
    '""',
    '{"results":[null,null]}',
    '{"a":{"b":null},"c":[null]}',
  ])("%p says nothing", (result) => expect(isEmptyResult(result)).toBe(true));

  test.each(['{"results":["ok",null]}', '"done"', "done", "0", "false"])(
    "%p says something",
    (result) => expect(isEmptyResult(result)).toBe(false),
  );
});

describe("statusReport()", () => {
  test("a clean run has the short verdict", () => {
    const { verdict } = statusReport(snapshot({}, [agent(1, {}), agent(2, {})]));
    expect(verdict).toBe("VERDICT: FINISHED — 2/2 agents complete");
  });

  test("drops are counted in the verdict and per outcome", () => {
    const failed = agent(2, { status: "failed", outcome: "timeout" });
    const report = statusReport(
      snapshot({ failures: [{ label: "x", error: "late" }] }, [agent(1, {}), failed]),
    );
    expect(report.verdict).toBe("VERDICT: FINISHED — 1/2 agents complete, 1 dropped, 1 timeout");
    expect(report).toMatchObject({ outcomes: { ok: 1, timeout: 1 }, dropped: 1, agents_failed: 1 });
  });

  test.each([
    ["failed", "VERDICT: FINISHED (failed)"],
    ["stopped", "VERDICT: FINISHED (stopped)"],
    ["completed_with_failures", "VERDICT: FINISHED (completed_with_failures)"],
    ["running", "VERDICT: NOT FINISHED (running)"],
    ["paused", "VERDICT: NOT FINISHED (paused)"],
    ["interrupted", "VERDICT: NOT FINISHED (interrupted)"],
  ] as const)("a run that is %s", (status, start) => {
    expect(statusReport(snapshot({ status }, [])).verdict).toBe(`${start} — 0/0 agents complete`);
  });
});

describe("inspect()", () => {
  test("counts per phase, calls outside any phase under the empty name", () => {
    const report = inspect(
      snapshot({}, [
        agent(1, { phase: "scan" }),
        agent(2, { phase: "scan", status: "failed", outcome: "failed" }),
        agent(3, {}),
      ]),
    );
    expect(report.by_phase.scan).toMatchObject({ agents_completed: 1, agents_failed: 1 });
    expect(report.by_phase[""]).toMatchObject({ agents_completed: 1 });
    expect(report.failed_agents.map(({ id }) => id)).toEqual(["agent-2"]);
  });
});
