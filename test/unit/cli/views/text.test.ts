/** The pieces that reports on a repository are printed with. */
import { describe, expect, test } from "bun:test";
import {
  block,
  enumeration,
  item,
  lines,
  paragraph,
  pathItem,
  remarkedItem,
  said,
  sentences,
  shown,
} from "../../../../src/cli/views/text.ts";

describe("paths", () => {
  test("with control characters are quoted and written out (repo X11)", () => {
    expect(shown("a\u001b[31m.ts")).toBe(String.raw`"a\u001b[31m.ts"`);
    expect(shown("two\nlines.ts")).toBe(String.raw`"two\nlines.ts"`);
    expect(shown("c1\u009b.ts")).toBe(String.raw`"c1\x9b.ts"`);
  });

  test("with blanks and letters of any script stay as they are", () => {
    expect(shown("a b/naïve.ts")).toBe("a b/naïve.ts");
  });
});

describe("text", () => {
  test("of others stays on its line and commands no terminal (repo X11)", () => {
    expect(said("one\n- two\u001b[2J")).toBe("one - two\\x1b[2J");
  });

  test("wraps at 80 columns, items with a hanging indent", () => {
    const long = "word ".repeat(40);
    for (const line of [...paragraph(long), ...item(long)]) expect(line.length).toBeLessThan(81);
    expect(item(long).map((line) => line.slice(0, 2))).toEqual(["- ", "  ", "  "]);
  });
});

describe("what is said of a path", () => {
  const path = `src/${"deep folder/".repeat(8)}a.ts`;

  test("stands beside it where there is room, else below it", () => {
    expect(pathItem("a.ts", ["one", "two"])).toEqual(["- a.ts (one; two)"]);
    expect(pathItem("a.ts")).toEqual(["- a.ts"]);
    const below = pathItem(path, ["word ".repeat(30).trim()]);
    expect(below[0]).toBe(`- ${path}`);
    expect(below.slice(1).map((line) => [line.slice(0, 2), line.length < 81])).toEqual([
      ["  ", true],
      ["  ", true],
    ]);
  });

  test("a remark on a sentence stays whole too", () => {
    expect(remarkedItem("short", "0123abcd, 2026-12-02")).toEqual([
      "- short (0123abcd, 2026-12-02)",
    ]);
    expect(remarkedItem("w".repeat(70), "0123abcd, 2026-12-02")).toEqual([
      `- ${"w".repeat(70)}`,
      "  (0123abcd, 2026-12-02)",
    ]);
  });

  test("breaks no path of several", () => {
    expect(enumeration("Uses 3:", ["a b.ts", path, "c.ts"])).toEqual([
      "Uses 3: a b.ts,",
      `  ${path},`,
      "  c.ts",
    ]);
  });
});

describe("blocks", () => {
  test("begin with an empty line and a heading, and vanish without lines", () => {
    expect(block("Title", ["x"])).toEqual(["", "Title:", "x"]);
    expect(block("Title", [])).toEqual([]);
    expect(sentences("Title", [])).toEqual([]);
    expect(lines("Title", [])).toEqual([]);
  });

  test("say how many lines were left out", () => {
    expect(lines("Files", ["a", "b", "c"], 2)).toEqual([
      "",
      "Files:",
      "- a",
      "- b",
      "- and 1 more (--json lists all)",
    ]);
  });

  test("never break a command", () => {
    const command = `pytest ${"tests/test_long.py ".repeat(20)}`.trim();
    expect(lines("Fast verification", [command])).toContain(`- ${command}`);
  });
});
