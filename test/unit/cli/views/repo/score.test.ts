import { expect, test } from "bun:test";
import { scoreText } from "../../../../../src/cli/views/repo/score.ts";
import type { ScoreReport } from "../../../../../src/repo/score/score-repository.ts";

const nothing = { cases: 0, measures: [] };
const empty: ScoreReport = {
  repo_root: "/r",
  head: "0123",
  from: "",
  to: "",
  is_complete: true,
  related: nothing,
  tests: nothing,
  risk: nothing,
};

test("each ranking has a line, each measure a column, and ours is held against the best other", () => {
  const text = scoreText({
    ...empty,
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-06-01T00:00:00.000Z",
    is_complete: false,
    tests: {
      cases: 12,
      measures: [
        {
          measure: "recall at 4",
          rankers: [
            { ranker: "pallium", mean: 0.5, low: 0.4, high: 0.6 },
            { ranker: "same stem", mean: 0.25, low: 0.2, high: 0.3 },
          ],
          best_other: "same stem",
          ahead: { mean: 0.25, low: 0.1, high: 0.4 },
        },
      ],
    },
  });
  expect(text).toBe(
    [
      "Answers measured on /r",
      "Asked from 2026-01-01 to 2026-06-01.",
      "The time was up before all was asked.",
      "",
      "Related files, 0 commits: nothing to measure",
      "",
      "Tests, 12 commits:",
      "                           recall at 4",
      "  pallium                  0.50 (0.40 to 0.60)",
      "  same stem                0.25 (0.20 to 0.30)",
      "  ahead of the best other  0.25 (0.10 to 0.40)",
      "",
      "Risk, 0 files that were fixed: nothing to measure",
    ].join("\n"),
  );
});

test("a history too short to ask about is said to be so", () => {
  expect(scoreText(empty)).toContain("The history is too short to ask about.");
});
