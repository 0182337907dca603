import { expect, test } from "bun:test";
import fc from "fast-check";
import { type DiffLine, diffLines, hunksOf } from "../../src/lib/line-diff.ts";

/** Few different lines, so that there is much to find in common. */
const LINES = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 24 });

const side = (lines: readonly DiffLine[], kind: DiffLine["kind"]) =>
  lines.filter((line) => line.kind === "context" || line.kind === kind).map(({ text }) => text);

/** Length of the longest common subsequence, by the table. */
function common(old: readonly string[], now: readonly string[]): number {
  let row = new Array<number>(now.length + 1).fill(0);
  for (const line of old) {
    const next = [0];
    now.forEach((other, at) => {
      const grown = (row[at] ?? 0) + 1;
      next.push(line === other ? grown : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Each line ended, so that no line is lost. */
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

test("a difference holds both texts, and as much in common as there is", () => {
  fc.assert(
    fc.property(LINES, LINES, (old, now) => {
      const lines = diffLines(text(old), text(now));
      expect(side(lines, "removed")).toEqual(old);
      expect(side(lines, "added")).toEqual(now);
      const kept = lines.filter(({ kind }) => kind === "context").length;
      expect(kept).toBe(common(old, now));
    }),
    { numRuns: 500 },
  );
});

test("hunks hold every change, and say where it is", () => {
  fc.assert(
    fc.property(LINES, LINES, fc.nat({ max: 3 }), (old, now, around) => {
      const lines = diffLines(text(old), text(now));
      const hunks = hunksOf(lines, around);
      for (const hunk of hunks) {
        const [oldFrom, newFrom] = [hunk.oldStart - 1, hunk.newStart - 1];
        expect(side(hunk.lines, "removed")).toEqual(old.slice(oldFrom, oldFrom + hunk.oldCount));
        expect(side(hunk.lines, "added")).toEqual(now.slice(newFrom, newFrom + hunk.newCount));
      }
      const changes = (of: readonly DiffLine[]) => of.filter(({ kind }) => kind !== "context");
      expect(hunks.flatMap(({ lines: shown }) => changes(shown))).toEqual(changes(lines));
    }),
    { numRuns: 500 },
  );
});

test("texts that have nothing in common are told so at once", () => {
  const numbers = (from: number) => text(Array.from({ length: 20_000 }, (_, at) => `${from + at}`));
  const lines = diffLines(`first\n${numbers(0)}last\n`, `first\n${numbers(50_000)}last\n`);
  expect(lines.length).toBe(40_002);
  expect(lines.filter(({ kind }) => kind === "context").map((line) => line.text)).toEqual([
    "first",
    "last",
  ]);
});
