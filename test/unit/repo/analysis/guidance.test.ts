/** What a report advises: commands that exist, and the gravest signals first. */
import { describe, expect, test } from "bun:test";
import { fileConfidence } from "../../../../src/repo/analysis/confidence.ts";
import { type GuidanceInput, guidance } from "../../../../src/repo/analysis/guidance.ts";

const CALM: GuidanceInput = {
  level: "low",
  boundaries: [],
  users: 0,
  usualPartners: [],
  inspect: [],
  hasLinks: true,
  confidence: fileConfidence({ commits: 9, links: 1, tests: 1, partners: 0 }, false),
  fast: ["go test ."],
  otherwise: "pallium explain a.go",
};

describe("guidance", () => {
  test("the gravest signals come first and are never cut off (repo C12)", () => {
    const { stop_signals } = guidance({
      ...CALM,
      level: "high",
      boundaries: ["auth", "config", "db", "api"].map((label) => ({ label, reason: "x" })),
      users: 40,
      signals: [
        { kind: "scope-drift", text: "drift" },
        { kind: "secret", text: "secret" },
        { kind: "verification-failed", text: "failed" },
      ],
    });
    expect(stop_signals.slice(0, 3)).toEqual(["failed", "secret", "drift"]);
    expect(stop_signals).toHaveLength(5);
  });

  test("only recommends what it was given (repo C11)", () => {
    expect(guidance(CALM).recommended_next_command).toBe("go test .");
    expect(guidance(CALM).run_next).toEqual(["go test .", "pallium explain a.go"]);
    expect(guidance({ ...CALM, fast: [] }).recommended_next_command).toBe("pallium explain a.go");
    expect(guidance({ ...CALM, fast: [], otherwise: "" }).run_next).toEqual([]);
  });

  test("a quiet file is safe to edit alone, and needs no review (repo C9)", () => {
    const { safe_to_edit_alone, must_review, stop_signals } = guidance(CALM);
    expect({ safe_to_edit_alone, must_review, stop_signals }).toEqual({
      safe_to_edit_alone: true,
      must_review: false,
      stop_signals: [],
    });
  });

  test.each([
    ["a high risk", { level: "high" }],
    ["a boundary", { boundaries: [{ label: "auth", reason: "a.go" }] }],
    ["many users", { users: 10 }],
  ] as const)("%s needs a review", (_, input) => {
    const { safe_to_edit_alone, must_review, ask_for_review_if } = guidance({ ...CALM, ...input });
    expect(must_review).toBe(true);
    expect(safe_to_edit_alone).toBe(false);
    expect(ask_for_review_if).toHaveLength(1);
  });

  test("a file that never changes alone is not safe to edit alone", () => {
    expect(guidance({ ...CALM, usualPartners: ["b.go"] }).safe_to_edit_alone).toBe(false);
  });

  test("a file of which little is known, or nothing tests, is not safe to edit alone", () => {
    const confidence = fileConfidence({ commits: 0, links: 0, tests: 0, partners: 0 }, false);
    expect(guidance({ ...CALM, confidence }).safe_to_edit_alone).toBe(false);
    expect(guidance({ ...CALM, fast: [] }).safe_to_edit_alone).toBe(false);
  });

  test("of several files the one that many use is named", () => {
    const { stop_signals, ask_for_review_if } = guidance({ ...CALM, users: 12, used: "b.go" });
    expect(stop_signals).toEqual(["12 files use b.go."]);
    expect(ask_for_review_if).toEqual(["the edit changes what the 12 users of b.go rely on"]);
  });

  test("gaps say what was looked for and not found", () => {
    const confidence = fileConfidence({ commits: 0, links: 0, tests: 0, partners: 0 }, false);
    const { confidence_gaps } = guidance({ ...CALM, hasLinks: false, fast: [], confidence });
    expect(confidence_gaps).toEqual([
      "The file is new or outside indexed history.",
      "No structural links were found.",
      "No fast verification command is known.",
    ]);
  });
});
