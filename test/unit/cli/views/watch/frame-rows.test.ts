/** A watched run in rows: whatever the size of the terminal, what matters is there. */
import { describe, expect, test } from "bun:test";
import { cellWidth } from "../../../../../src/cli/views/cells.ts";
import { changedLines } from "../../../../../src/cli/views/watch/changed-lines.ts";
import { frameRows } from "../../../../../src/cli/views/watch/frame-rows.ts";
import type { WatchedAgent, WatchFrame } from "../../../../../src/workflow/live/frame.ts";
import type { AgentStatus } from "../../../../../src/workflow/run/types.ts";
import { plain } from "../../../../support/terminal.ts";

const NOW = new Date("2026-01-02T03:05:00.000Z");

function agent(id: string, status: AgentStatus, more: Partial<WatchedAgent> = {}): WatchedAgent {
  return {
    id,
    label: id,
    provider: "p",
    status,
    started_at: "2026-01-02T03:04:00.000Z",
    ...(status === "running" ? {} : { ended_at: "2026-01-02T03:04:10.000Z" }),
    cost_usd: 0.01,
    ...more,
  };
}

function frame(agents: readonly WatchedAgent[], more: Partial<WatchFrame> = {}): WatchFrame {
  const count = (status: AgentStatus) => agents.filter((one) => one.status === status).length;
  return {
    id: "wf-1",
    task: "look at it",
    status: "running",
    verdict: "VERDICT: NOT FINISHED (running) — 1/3 agents complete",
    at: "2026-01-02T03:04:58.000Z",
    final: false,
    elapsed_ms: 58_000,
    spent_usd: 0.58,
    usd_per_minute: 0.6,
    agents_per_minute: 2,
    agents_total: agents.length,
    agents_running: count("running"),
    agents_completed: count("completed"),
    agents_failed: count("failed"),
    agents_stopped: 0,
    agents_paused: 0,
    agents_interrupted: 0,
    phases: [],
    agents,
    gates: [],
    ...more,
  };
}

const THREE = frame(
  [
    agent("plan", "completed", { phase: "first" }),
    agent("auth", "running", { phase: "second", last_line: "reading \u001b]0;x\u0007" }),
    agent("broken", "failed", { phase: "second", error: "exit status 3\nand more" }),
  ],
  {
    phases: [
      { name: "first", status: "completed" },
      { name: "second", status: "running" },
    ],
  },
);

function rows(of: WatchFrame, columns: number, height: number, colours = false): string[] {
  return frameRows(of, { columns, rows: height, colours, now: NOW, isLive: true });
}

/** Many agents in several phases, names of all kinds. */
function crowd(): WatchFrame {
  const statuses: AgentStatus[] = ["completed", "running", "failed", "completed", "paused"];
  const names = [
    "a",
    "日本語のとても長い名前の担当者",
    "x".repeat(60),
    "👩‍👩‍👧‍👦 family",
    "with\ttab",
  ];
  const agents = Array.from({ length: 100 }, (_, at) =>
    agent(`${names[at % 5]}${at}`, statuses[Math.floor(at / 7) % 5] ?? "running", {
      phase: `phase ${at % 9}`,
      last_line: "話".repeat(at),
    }),
  );
  const phases = Array.from({ length: 9 }, (_, at) => ({
    name: `phase ${at}`,
    status: "running" as const,
  }));
  const gates = [{ name: "ship", opened_at: NOW.toISOString(), next: ["pallium workflow gate…"] }];
  return frame(agents, { phases, gates });
}

describe("rows of a terminal", () => {
  test("say how it stands, what it costs and what each agent does", () => {
    expect(rows(THREE, 80, 24)).toEqual([
      "VERDICT: NOT FINISHED (running) — 1/3 agents complete",
      "wf-1  look at it",
      "1m 00s · $0.5800 ($0.6000/min) · 2/3 agents done (2.0/min), 1 at work, 1 failed",
      "",
      "first  completed, 1/1 done",
      "  ✓ plan    completed     10s",
      "second  running, 1/2 done",
      "  ● auth    running    1m 00s  reading \\x1b]0;x\\x07",
      "  ✗ broken  failed        10s  exit status 3 and more",
      "",
      "Ctrl-C ends the watch; the run goes on",
    ]);
    expect(rows(THREE, 120, 24)[7]).toContain("$0.0100");
  });

  test("are in colours only where these are wanted, and otherwise the same", () => {
    const coloured = rows(THREE, 80, 24, true);
    expect(coloured.join()).toContain("\u001b[31m");
    expect(coloured.map(plain)).toEqual(rows(THREE, 80, 24));
  });

  test("never are more or wider than the terminal", () => {
    const busy = crowd();
    for (const columns of [1, 2, 7, 20, 40, 79, 80, 100, 200]) {
      for (const height of [1, 2, 3, 5, 8, 10, 24, 40, 200]) {
        const drawn = rows(busy, columns, height);
        expect(drawn.length).toBeLessThanOrEqual(height);
        expect(Math.max(...drawn.map(cellWidth))).toBeLessThanOrEqual(columns);
      }
    }
  });

  test("show those at work first, then what went wrong, and count what they hide", () => {
    const agents = [
      ...Array.from({ length: 30 }, (_, at) => agent(`done-${at}`, "completed")),
      agent("broken", "failed"),
      agent("late", "running"),
    ];
    const drawn = rows(frame(agents), 80, 10);
    expect(drawn.slice(4, 8)).toEqual([
      "agents  31/32 done",
      "  ✗ broken  failed      10s",
      "  ● late    running  1m 00s",
      "  … 30 more: 30 completed",
    ]);
    expect(rows(frame(agents), 80, 1)).toEqual([THREE.verdict]);
  });

  test("name a gate that waits, and the command that decides it", () => {
    const gates = [
      { name: "ship", message: "really?", opened_at: NOW.toISOString(), next: ["decide it"] },
    ];
    expect(rows(frame([], { gates }), 80, 24)[3]).toBe(
      "gate ship waits for you: decide it (really?)",
    );
  });
});

describe("lines of a pipe", () => {
  test("are printed once, and again when they have changed", () => {
    const changed = changedLines();
    expect(changed(THREE)).toEqual([
      THREE.verdict,
      "phase first: completed",
      "phase second: running",
      "plan: completed in 10s for $0.0100",
      "auth: running, reading \\x1b]0;x\\x07",
      "broken: failed in 10s for $0.0100, exit status 3 and more",
    ]);
    expect(changed({ ...THREE, at: NOW.toISOString(), elapsed_ms: 60_000 })).toEqual([]);
    const [plan, , broken] = THREE.agents;
    const agents = [plan, agent("auth", "completed"), broken].filter((one) => one !== undefined);
    const last = { ...THREE, agents, final: true, verdict: "VERDICT: FINISHED" };
    expect(changed(last)).toEqual([
      "auth: completed in 10s for $0.0100",
      "VERDICT: FINISHED",
      "58s, $0.5800, $0.6000 a minute",
    ]);
  });
});
