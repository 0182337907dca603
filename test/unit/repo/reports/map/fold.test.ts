import { expect, test } from "bun:test";
import { type DrawnNode, foldTree } from "../../../../../src/repo/reports/map/fold.ts";
import { buildTree } from "../../../../../src/repo/reports/map/tree.ts";
import { file } from "../../../../support/map-files.ts";

const names = (nodes: readonly DrawnNode[]): unknown =>
  nodes.map((node) => ("children" in node ? { [node.name]: names(node.children) } : node.name));

test("a small tree is drawn whole; folders that hold only a folder are one", () => {
  const tree = buildTree([file("src/main/java/A.java"), file("src/main/java/B.java"), file("c.c")]);
  const folded = foldTree(tree, new Set(), 10);
  expect(folded.folded).toBe(0);
  expect(names(folded.tree.children)).toEqual(["c.c", { "src/main/java": ["A.java", "B.java"] }]);
});

test("what is too much is one node in its folder, with its count and sums; hotspots stay", () => {
  const many = Array.from({ length: 20 }, (_, at) =>
    file(`lib/${at}.ts`, { lines: 100 + at, commits: 2, fixes: 1, level: at < 3 ? "high" : "low" }),
  );
  const deep = Array.from({ length: 5 }, (_, at) => file(`lib/deep/${at}.ts`, { lines: 1 }));
  const tests = [file("lib/z.test.ts", { kind: "test", lines: 5000 })];
  const { tree, folded } = foldTree(
    buildTree([...many, ...deep, ...tests]),
    new Set(["lib/0.ts"]),
    6,
  );
  const [lib] = tree.children;
  if (lib === undefined || !("children" in lib)) throw new Error("lib is no folder");
  expect(names(lib.children)).toEqual([
    "0.ts",
    "17.ts",
    "18.ts",
    "19.ts",
    "21 other files",
    "1 other file of tests",
  ]);
  expect(folded).toBe(22);
  expect(lib.children[4]).toMatchObject({ files: 21, commits: 32 + 5, fixes: 16, high: 2 });
  expect(lib.children[4]).toHaveProperty("lines", 1741);
});

test("no more is drawn than was asked for, whatever the folders are", () => {
  const files = Array.from({ length: 4000 }, (_, at) =>
    file(`${at % 7}/${at % 501}/${at}.ts`, { lines: 1 + (at % 90) }),
  );
  const count = (nodes: readonly DrawnNode[]): number =>
    nodes.reduce((sum, node) => sum + ("children" in node ? count(node.children) : 1), 0);
  const lines = (nodes: readonly DrawnNode[]): number =>
    nodes.reduce((sum, node) => sum + ("children" in node ? lines(node.children) : node.lines), 0);
  const whole = buildTree(files);
  for (const most of [1, 10, 700, 3999, 4000]) {
    const { tree } = foldTree(whole, new Set(), most);
    expect(count(tree.children)).toBeLessThanOrEqual(most);
    expect(lines(tree.children)).toBe(whole.lines);
  }
});

test("files without lines have no area and are left out", () => {
  const tree = buildTree([file("logo.png", { lines: 0 }), file("img/a.png", { lines: 0 })]);
  expect(foldTree(tree, new Set(), 10)).toEqual({ tree: { name: "", children: [] }, folded: 0 });
});
