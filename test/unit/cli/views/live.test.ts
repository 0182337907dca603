/** Rows of live sessions in 80 columns. */
import { expect, test } from "bun:test";
import { compactPath, liveLines, liveRows } from "../../../../src/cli/views/sessions/live.ts";
import type { LiveSession } from "../../../../src/sessions/live/types.ts";
import { recalledFrom } from "../../../../src/sessions/reports/recalled.ts";

const AT = "2026-12-03T09:05:00.000Z";

function report(...sessions: readonly Partial<LiveSession>[]) {
  const origin = { provider: "codex", machine: "here", session_id: "", path: "", at: AT } as const;
  const recalled = recalledFrom(origin, new Date(AT));
  const usual = { status: "active", title: "x", last_active_at: AT, recalled } as const;
  return {
    generated_at: AT,
    host: "here",
    sessions: sessions.map((session): LiveSession => ({ provider: "codex", ...usual, ...session })),
  };
}

const PLAIN = { details: true, colours: false } as const;

test("titles have 90 characters at most, the last of which says that there was more (oracle 22)", () => {
  const titleOf = (title: string) => liveLines(report({ title }), PLAIN)[4]?.split(/ {2,}/).at(-1);
  expect(titleOf("é".repeat(120))).toBe(`${"é".repeat(89)}…`);
  expect(titleOf("é".repeat(60))).toBe("é".repeat(60));
  expect(titleOf("two\n  lines\u001b[2J")).toBe("two lines\\x1b[2J");
});

test("paths are their last two names", () => {
  const paths = ["", "/", "/repo", "/home/dev", "/home/dev/a/b", "a/b/c"];
  expect(paths.map(compactPath)).toEqual(["-", "/", "/repo", "/home/dev", "…/a/b", "…/b/c"]);
});

test("active and inactive sessions are told apart only where there are both, and unknown is a dash", () => {
  const active = { pid: 4711, tty: "pts/3", thread_id: "01a23bc4-6dc9", session_cwd: "/a/b/c" };
  const all = liveLines(report(active, { status: "inactive", title: "old" }), PLAIN);
  expect(all[0]).toBe("1 active, 1 inactive agent sessions");
  expect(all.slice(3)).toEqual([
    "PID   TTY    STATUS    AGENT  SESSION   PATH   TITLE",
    "4711  pts/3  active    codex  01a23bc4  …/b/c  x",
    "-     -      inactive  codex  -         -      old",
  ]);
  expect(liveLines(report(active), PLAIN)[0]).toBe("1 active agent session");
  expect(liveLines(report(), PLAIN)).toEqual(["No agent sessions found."]);
});

test("on a terminal no line is wider and none is below its end; what has no room is counted", () => {
  const many = Array.from({ length: 30 }, (_, pid) => ({
    pid,
    session_cwd: "/home/dev/a-folder-with-a-long-name/and-another-one",
    title: "界".repeat(60),
    recent_action: `exec_command: ${"y".repeat(300)}`,
  }));
  const options = { ...PLAIN, columns: 80, rows: 24, isLive: true };
  const rows = liveRows(report(...many), options);
  expect(rows).toHaveLength(24);
  for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(80);
  expect(rows.at(-3)).toBe("… and 43 lines more");
  expect(rows.at(-1)).toBe("Ctrl-C ends the watch");
  expect(liveRows(report(...many), { ...options, rows: 1 })).toHaveLength(1);
});
