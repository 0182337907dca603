import { expect, test } from "bun:test";
import { findHotspots } from "../../../../../src/repo/reports/map/hotspots.ts";
import { kindOf } from "../../../../../src/repo/reports/map/kinds.ts";
import { buildTree, isFolder } from "../../../../../src/repo/reports/map/tree.ts";
import { file } from "../../../../support/map-files.ts";

const measured = (path: string, measures = {}) => ({
  fixHeat: 0,
  ...file(path, { lines: 500, commits: 10, heat: 5 }),
  ...measures,
});

test("hotspots are long, busy and often mended at once; each alone is not enough", () => {
  const hotspots = findHotspots(
    [
      measured("quiet.c", { lines: 9000, heat: 0.01, commits: 2 }),
      measured("short.c", { lines: 2, heat: 9, fixHeat: 4 }),
      measured("sound.c"),
      measured("worst.c", { fixHeat: 3, fixes: 4, recent_commits: 2 }),
    ],
    3,
  );
  expect(hotspots.map(({ path }) => path)).toEqual(["worst.c", "sound.c", "short.c"]);
  expect(hotspots[0]?.score).toBe(100);
  expect(hotspots[0]).not.toHaveProperty("fixHeat");
  expect(hotspots[0]?.reasons).toEqual([
    "500 lines",
    "10 commits, 2 of them in 90 days",
    "4 of 10 fixed something",
  ]);
});

test("tests, documents, and what nobody wrote or committed are no hotspots", () => {
  const files = [
    measured("a.test.ts", { kind: "test" }),
    measured("CHANGES.md", { kind: "other" }),
    measured("new.ts", { commits: 0 }),
    measured("empty.ts", { lines: 0 }),
  ];
  expect(findHotspots(files, 5)).toEqual([]);
});

test.each([
  ["src/app.ts", "code"],
  ["Makefile", "code"],
  ["lib/test-output/parse.ts", "code"],
  ["src/app.test.ts", "test"],
  ["packages/x/test/fixtures/a/input.js", "test"],
  ["t/helper/test-date.c", "test"],
  ["README.md", "other"],
  ["po/de.po", "other"],
  ["package-lock.json", "other"],
  [".eslintrc", "other"],
  [".github/workflows/ci.yml", "other"],
  ["src/generated/api.ts", "other"],
  ["src/helpers-generated.ts", "other"],
  ["go.sum", "other"],
] as const)("%s is %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test("a folder adds up what is in it, at any depth", () => {
  const tree = buildTree([
    file("a/b/c.ts", { lines: 30, commits: 3, fixes: 1, risk: 90, level: "high" }),
    file("a/d.ts", { lines: 10, risk: 10, last_touched_at: "2026-09-03T00:00:00.000Z" }),
    file("e.ts"),
  ]);
  expect(tree).toMatchObject({ path: "", files: 3, lines: 50 });
  const [a] = tree.children;
  expect(a).toMatchObject({
    path: "a",
    files: 2,
    lines: 40,
    touches: 4,
    fixes: 1,
    heat: 2,
    risk: 70,
    high_risk_files: 1,
    last_touched_at: "2026-09-03T00:00:00.000Z",
  });
  expect(a !== undefined && isFolder(a) && a.children.map(({ path }) => path)).toEqual([
    "a/b",
    "a/d.ts",
  ]);
});
