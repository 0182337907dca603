/** Links are ranked by kind before anybody cuts them. */
import { describe, expect, test } from "bun:test";
import { structuralLinks } from "../../../../src/repo/analysis/structural-links.ts";

const NONE = { uses: [], usedBy: [], tests: [], siblings: [] };
const link = (path: string, kind = "import") => ({ path, kind });

describe("structuralLinks", () => {
  test("the test of a file is first, however many siblings sort before it (repo C6)", () => {
    const siblings = Array.from({ length: 30 }, (_, at) => `src/a${at}.ts`);
    const links = structuralLinks("src/session.ts", {
      uses: [link("src/z.ts")],
      usedBy: siblings.map((path) => link(path)),
      tests: ["src/session.test.ts"],
      siblings: [...siblings, "src/session.css"],
    });
    expect(links.slice(0, 2)).toEqual([
      { path: "src/session.test.ts", kind: "test-pair", reason: "is the test of this file" },
      { path: "src/z.ts", kind: "js-import", reason: "this file imports it" },
    ]);
    expect(links.at(-1)?.kind).toBe("same-stem");
  });

  test("a test of that name elsewhere, which does not use the file, is only named so", () => {
    const tests = ["test/platform/process/identity.test.ts"];
    const usedBy = [link("test/repo/open.test.ts")];
    expect(structuralLinks("src/repo/identity.ts", { ...NONE, tests, usedBy })).toMatchObject([
      { path: "test/repo/open.test.ts", kind: "js-dependent" },
      { path: tests[0] ?? "", kind: "test-pair", reason: "is named as its test" },
    ]);
  });

  test.each([
    ["a.go", link("b.go", "call"), "go-symbol"],
    ["a.go", link("b/b.go"), "go-import"],
    ["a.py", link("b.py"), "py-import"],
    ["a.ts", link("b.ts"), "js-import"],
    ["a.c", link("a_lib.h", "include"), "c-import"],
    ["A.cs", link("B.cs"), "cs-import"],
  ])("%s uses %j: %s", (path, used, kind) => {
    expect(structuralLinks(path, { ...NONE, uses: [used] })[0]?.kind).toBe(kind);
  });

  test.each([
    ["a.go", link("b.go", "call"), "go-dependent"],
    ["a/a.go", link("b.go"), "go-package-dependent"],
    ["a.py", link("b.py"), "py-dependent"],
    ["a.ts", link("b.ts"), "js-dependent"],
  ])("%s is used by %j: %s", (path, user, kind) => {
    expect(structuralLinks(path, { ...NONE, usedBy: [user] })[0]?.kind).toBe(kind);
  });

  test("each file has one link, of its strongest kind", () => {
    const both = { ...NONE, uses: [link("b.ts", "package")], usedBy: [link("b.ts")] };
    expect(structuralLinks("a.ts", both).map(({ kind }) => kind)).toEqual(["js-dependent"]);
  });

  test("a test that history alone chose is no structure", () => {
    expect(structuralLinks("src/a.ts", { ...NONE, tests: ["e2e/far.test.ts"] })).toEqual([]);
  });

  test("names that are alike in other folders or languages are no link (repo L8)", () => {
    expect(structuralLinks("pkg/helper.py", { ...NONE, siblings: ["pkg/other.py"] })).toEqual([]);
  });
});
