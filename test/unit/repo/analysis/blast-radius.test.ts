/** Each kind of connection has its share of what an edit may reach. */
import { describe, expect, test } from "bun:test";
import { blastRadius } from "../../../../src/repo/analysis/blast-radius.ts";
import type { Related } from "../../../../src/repo/analysis/related.ts";
import { isUsualPartner, provenShare } from "../../../../src/repo/analysis/usual-partners.ts";

function partner(path: string, together = 5, of = 10): Related {
  return {
    path,
    cochange_count: together,
    recency_weight: together,
    confidence: together / of,
    support: of,
    recent_confidence: together / of,
    score: together / of,
    reasons: [],
  };
}

const link = (path: string, kind = "import") => ({ path, kind });

describe("blastRadius", () => {
  test("partners of history do not crowd out users, tests and imports (repo C7)", () => {
    const related = ["p1", "p2", "p3", "p4", "p5", "p6"].map((name) => partner(`${name}.ts`));
    const reach = {
      related,
      usedBy: [link("user.ts")],
      tests: ["a.test.ts"],
      uses: [link("used.ts")],
    };
    expect(blastRadius("a.ts", reach, 6)).toEqual([
      "user.ts",
      "p1.ts",
      "a.test.ts",
      "used.ts",
      "p2.ts",
      "p3.ts",
    ]);
  });

  test("of many users those that change with the file come first", () => {
    const usedBy = ["a1.ts", "a2.ts", "z.ts"].map((path) => link(path));
    const reach = { related: [partner("z.ts", 1)], usedBy, tests: [], uses: [] };
    expect(blastRadius("a.ts", reach, 2)).toEqual(["z.ts", "a1.ts"]);
  });

  test("what was seen together once, and documents now and then, are left out", () => {
    const related = [partner("once.ts", 1), partner("CHANGES.md", 3), partner("GUIDE.md", 10)];
    const reach = { related, usedBy: [], tests: [], uses: [] };
    expect(blastRadius("a.ts", reach, 6)).toEqual(["GUIDE.md"]);
  });

  test("the file itself, and files of a package that nobody named, are no reach", () => {
    const reach = {
      related: [],
      usedBy: [],
      tests: ["a_test.go"],
      uses: [link("pkg/other.go", "package")],
    };
    expect(blastRadius("a_test.go", reach, 6)).toEqual([]);
  });
});

describe("isUsualPartner", () => {
  test.each([
    [14, 16, true],
    [4, 4, true],
    [3, 3, false],
    [8, 16, false],
    [40, 80, false],
    [7, 8, true],
  ])("together in %i of %i commits: %p", (together, of, expected) => {
    expect(isUsualPartner(partner("b.ts", together, of))).toBe(expected);
  });

  test("a habit of long ago does not count", () => {
    expect(isUsualPartner({ ...partner("b.ts", 14, 16), recent_confidence: 0.2 })).toBe(false);
  });

  test("the proven share grows with the commits behind it", () => {
    expect(provenShare(0, 0)).toBe(0);
    expect(provenShare(3, 4)).toBeLessThan(provenShare(30, 40));
    expect(provenShare(30, 40)).toBeLessThan(0.75);
  });
});
