/** Rectangles of the treemap: none is lost, none lies on another, areas are as the values are. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import source from "../../src/repo/reports/map/page/layout.js" with { type: "text" };
import { tempDir } from "../support/temp.ts";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Node {
  readonly lines: number;
  readonly children?: readonly Node[];
}
interface Tile {
  readonly node: Node;
  readonly box: Box;
  readonly label: boolean;
  readonly solid: boolean;
}

interface Layout {
  squarify(values: readonly number[], box: Box): readonly Box[];
  layOut(folder: Node, box: Box): readonly Tile[];
}

/** The page's file as a module; to the rest of the program it is text, and it can be only one. */
async function load(): Promise<Layout> {
  await using dir = await tempDir();
  await Bun.write(dir.join("layout.js"), source);
  return await import(dir.join("layout.js"));
}

const layout = await load();

const lines = fc.integer({ min: 1, max: 100_000 });
const values = fc
  .array(lines, { minLength: 1, maxLength: 200 })
  .map((some) => some.toSorted((a, b) => b - a));
const length = fc.integer({ min: 1, max: 2000 });
const box = fc.record({ x: fc.constant(3), y: fc.constant(5), width: length, height: length });

const area = ({ width, height }: Box) => width * height;
const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

function expectInside(inner: Box, outer: Box, slack: number): void {
  expect(inner.x).toBeGreaterThanOrEqual(outer.x - slack);
  expect(inner.y).toBeGreaterThanOrEqual(outer.y - slack);
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width + slack);
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + slack);
}

function expectApart(boxes: readonly Box[], slack: number): void {
  const shared = boxes.map((one, at) =>
    boxes.slice(at + 1).reduce((most, other) => Math.max(most, overlap(one, other)), 0),
  );
  expect(Math.max(0, ...shared)).toBeLessThan(slack);
}

test("parts of a box have areas as their values are, and lie apart in it", () => {
  fc.assert(
    fc.property(values, box, (some, whole) => {
      const boxes = layout.squarify(some, whole);
      const total = some.reduce((sum, value) => sum + value, 0);
      expect(boxes).toHaveLength(some.length);
      for (const [at, part] of boxes.entries()) {
        expect(area(part) / area(whole)).toBeCloseTo((some[at] ?? 0) / total, 6);
        expectInside(part, whole, 1e-6);
      }
      expectApart(boxes, 1e-3);
    }),
    { numRuns: 60 },
  );
});

test("parts are squarer than slices: the paper's example", () => {
  const boxes = layout.squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
  const ratios = boxes.map(({ width, height }) => Math.max(width / height, height / width));
  expect(ratios.map((ratio) => Math.round(ratio * 100) / 100)).toEqual([
    1.5, 1.5, 1.36, 1.81, 1.39, 1.39, 2.78,
  ]);
});

const file: fc.Arbitrary<Node> = lines.map((some) => ({ lines: some }));
const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc
    .array(fc.oneof({ depthSize: "small" }, file, tie("tree")), { minLength: 1, maxLength: 20 })
    .map((some) => {
      const children = some.toSorted((a, b) => b.lines - a.lines);
      return { children, lines: children.reduce((sum, child) => sum + child.lines, 0) };
    }),
}));

/** A line of the label's text. */
const LABEL_HEIGHT = 15;

test("files of a tree lie apart, each inside its folder and below its label", () => {
  fc.assert(
    fc.property(tree, (root) => {
      const whole = { x: 0, y: 0, width: 900, height: 600 };
      const tiles = layout.layOut(root, whole);
      const boxes = new Map(tiles.map((tile) => [tile.node, tile.box]));
      expectApart(
        tiles.filter(({ solid }) => solid).map((tile) => tile.box),
        1e-9,
      );
      for (const { node, label, box: outer } of tiles) {
        expectInside(outer, whole, 0);
        for (const child of node.children ?? []) {
          const inner = boxes.get(child);
          if (inner === undefined) continue;
          expectInside(inner, outer, 0);
          if (label) expect(inner.y - outer.y).toBeGreaterThanOrEqual(LABEL_HEIGHT);
        }
      }
    }),
    { numRuns: 60 },
  );
});
