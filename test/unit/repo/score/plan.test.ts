import { describe, expect, test } from "bun:test";
import { planSpans } from "../../../../src/repo/score/plan.ts";

const DAY = 24 * 3600;
/** A commit a day, from the oldest. */
const line = Array.from({ length: 500 }, (_, at) => ({ hash: `${at}`, committedAt: at * DAY }));
const shown = (spans: ReturnType<typeof planSpans>) =>
  spans.map(({ kind, from, to }) => `${kind} ${from.hash}-${to.hash}`);

describe("planSpans", () => {
  test("covers the latest commits in steps of twenty, and windows of 180 days, from the oldest", () => {
    expect(shown(planSpans(line, { commits: 50, windows: 2 }))).toEqual([
      "risk 139-319",
      "risk 319-499",
      "co-change 449-459",
      "co-change 459-479",
      "co-change 479-499",
    ]);
  });

  test("no span looks further ahead than it says", () => {
    for (const { kind, from, to } of planSpans(line, { commits: 400, windows: 2 })) {
      const days = (to.committedAt - from.committedAt) / DAY;
      expect(days).toBeWithin(1, kind === "risk" ? 181 : 21);
    }
  });

  test("a short history has fewer, one commit has none", () => {
    expect(shown(planSpans(line.slice(0, 30), { commits: 300, windows: 2 }))).toEqual([
      "co-change 0-9",
      "co-change 9-29",
    ]);
    expect(planSpans(line.slice(0, 1), { commits: 300, windows: 2 })).toEqual([]);
    expect(planSpans([], { commits: 300, windows: 2 })).toEqual([]);
  });
});
