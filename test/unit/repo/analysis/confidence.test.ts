/** Confidence and evidence rest on what was found, and can be low. */
import { describe, expect, test } from "bun:test";
import { changeConfidence, fileConfidence } from "../../../../src/repo/analysis/confidence.ts";
import { evidenceOf } from "../../../../src/repo/analysis/evidence.ts";

const NOTHING = { commits: 0, links: 0, tests: 0, partners: 0 };
const MUCH = { commits: 20, links: 3, tests: 2, partners: 4 };

describe("confidence", () => {
  test("is low for a file that nothing is known of (repo C5)", () => {
    const { level, score, reasons } = fileConfidence(NOTHING, false);
    expect(level).toBe("low");
    expect(score).toBe(0);
    expect(reasons[0]).toContain("new or outside indexed history");
  });

  test("is low for a new file that only has a link (repo C5)", () => {
    expect(fileConfidence({ ...NOTHING, links: 4 }, false).level).toBe("low");
  });

  test("is high with history, links and tests, and says how much of each", () => {
    const { level, reasons } = fileConfidence(MUCH, false);
    expect(level).toBe("high");
    expect(reasons.join(" ")).toMatch(/20 commits.*found: 3.*for it: 2/s);
  });

  test("sinks while the index is of another commit", () => {
    expect(fileConfidence(MUCH, true).score).toBe(fileConfidence(MUCH, false).score - 2);
  });

  test("of a change is that of its files, by their share", () => {
    expect(changeConfidence([MUCH, MUCH], false).level).toBe("high");
    expect(changeConfidence([MUCH, NOTHING], false).level).toBe("medium");
    expect(changeConfidence([NOTHING, NOTHING], false).level).toBe("low");
    expect(changeConfidence([], false).level).toBe("low");
  });
});

describe("evidence", () => {
  const NONE = { commits: 0, links: 0, tests: 0, commands: 0, changedFiles: 0, hasTask: false };

  test("names no source that gave nothing (repo C5)", () => {
    expect(evidenceOf(NONE)).toEqual({ sources: [], notes: [] });
  });

  test("names each source with a note", () => {
    const all = { commits: 1, links: 1, tests: 1, commands: 1, changedFiles: 1, hasTask: true };
    const { sources, notes } = evidenceOf(all);
    expect(sources).toEqual([
      "git-history",
      "repo-structure",
      "test-inference",
      "repo-config",
      "working-tree",
      "task-scope",
    ]);
    expect(notes).toHaveLength(6);
  });
});
