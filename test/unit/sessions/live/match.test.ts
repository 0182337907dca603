/** Which of the transcripts in a folder is a process's, where nothing but times tells. */
import { expect, test } from "bun:test";
import { matchByPlace } from "../../../../src/sessions/live/match.ts";
import type { AgentProcess, TranscriptBrief } from "../../../../src/sessions/live/types.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-12-03T09:00:00Z");

function agent(pid: number, minute: number, changes: Partial<AgentProcess> = {}): AgentProcess {
  return {
    provider: "claude",
    pid,
    tty: "",
    startedMs: START + minute * MINUTE,
    home: "/home/dev/.claude",
    cwd: "/repo",
    transcripts: [],
    ...changes,
  };
}

/** @param created and active in minutes. */
function brief(
  id: string,
  created: number,
  active: number,
  changes: Partial<TranscriptBrief> = {},
): TranscriptBrief {
  return {
    provider: "claude",
    path: `/home/dev/.claude/projects/-repo/${id}.jsonl`,
    id,
    isHelper: false,
    title: id,
    firstUserMessage: "",
    cwd: "/repo",
    workdir: "/repo",
    gitBranch: "",
    gitOriginUrl: "",
    recentAction: "",
    createdMs: START + created * MINUTE,
    activeMs: START + active * MINUTE,
    modifiedMs: START + active * MINUTE,
    ...changes,
  };
}

function matched(processes: readonly AgentProcess[], briefs: readonly TranscriptBrief[]) {
  const found = matchByPlace(processes, briefs);
  return processes.map((process) => found.get(process)?.id);
}

test("each process has the session that began with it, however late the other was written", () => {
  const [early, late] = [brief("early", 0, 90), brief("late", 60, 70)];
  expect(matched([agent(1, 0), agent(2, 60)], [early, late])).toEqual(["early", "late"]);
  expect(matched([agent(2, 60), agent(1, 0)], [late, early])).toEqual(["late", "early"]);
});

test("one that goes on with an older session has what was written last of the rest", () => {
  const briefs = [brief("older", -600, 20), brief("old", -60, 5), brief("new", 10, 30)];
  expect(matched([agent(1, 0), agent(2, 10)], briefs)).toEqual(["older", "new"]);
});

test("nothing that was written before the process started, elsewhere, or by a helper", () => {
  const elsewhere = [
    brief("before", -60, -1),
    brief("folder", 1, 1, { cwd: "/repo/web", workdir: "/repo/web" }),
    brief("helper", 1, 1, { isHelper: true }),
    brief("agent", 1, 1, { provider: "codex" }),
    brief("home", 1, 1, { path: "/home/other/.claude/projects/-repo/x.jsonl" }),
  ];
  expect(matched([agent(1, 0)], elsewhere)).toEqual([undefined]);
  expect(matched([agent(1, 0, { cwd: "" })], [brief("any", 1, 1)])).toEqual([undefined]);
  expect(matched([agent(1, 0), agent(2, 0)], [brief("one", 1, 1)])).toEqual(["one", undefined]);
});
