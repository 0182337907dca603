/** Long texts cut into pieces: how long, where, and nothing lost or broken. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type TextPart,
  type TextWindow,
  textWindows,
  WINDOW_BYTES,
} from "../../../../src/sessions/embeddings/windows.ts";

function cut(...texts: readonly string[]): readonly TextWindow[] {
  return [...textWindows(texts.map((text, line) => ({ line, text })))];
}

/** The bytes of the whole text that a piece stands for, by its place. */
function placed(parts: readonly TextPart[], { line, offset, bytes }: TextWindow): string {
  const rest = parts.filter((part) => part.line >= line).map(({ text }) => text);
  return Buffer.from(rest.join(""))
    .toString("utf8", offset, offset + bytes)
    .trim();
}

describe("a text in pieces", () => {
  test("of 13000 bytes without blanks is 6000, 6000 and 2200 bytes (computed oracle of chunks)", () => {
    const pieces = cut("x".repeat(13_000));
    expect(pieces.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [0, 6000],
      [5400, 6000],
      [10_800, 2200],
    ]);
  });

  test("is one piece up to 6000 bytes, and none where there are only blanks", () => {
    expect(cut("y".repeat(6000))).toHaveLength(1);
    expect(cut("y".repeat(6001))).toHaveLength(2);
    expect(cut(" \n\t", "", "\n")).toEqual([]);
    expect(cut()).toEqual([]);
  });

  test("ends behind a message rather than a line, a line rather than a word, if one ends near", () => {
    const [first] = cut(`${"a ".repeat(2500)}\n`, `${"b".repeat(400)}\n`, "c ".repeat(900));
    expect(first?.text).toEndWith("b");
    const [line] = cut(`${"a ".repeat(2600)}\n${"b ".repeat(900)}`);
    expect(line?.text).toEndWith("a");
    const [word] = cut(`${"a".repeat(5900)} ${"b".repeat(900)}`);
    expect(word?.text).toEndWith("a");
  });

  test("keeps characters of several bytes whole (weakness 19 of sessions: slicing of bytes)", () => {
    for (const character of ["é", "汉", "🦀"]) {
      const pieces = cut(`x${character.repeat(8000)}`);
      expect(pieces.length).toBeGreaterThan(2);
      for (const { text } of pieces) expect(text).not.toContain("\ufffd");
    }
  });

  test("is all there, in order, each piece where it says, and none too long", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "🦀", "b".repeat(700)) });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const parts = texts.map((part, line) => ({ line, text: part }));
        const pieces = [...textWindows(parts)];
        for (const piece of pieces) {
          expect(piece.bytes).toBeLessThanOrEqual(WINDOW_BYTES);
          expect(placed(parts, piece)).toBe(piece.text);
        }
        const starts = parts.map(({ line }) => Buffer.byteLength(texts.slice(0, line).join("")));
        let covered = 0;
        const whole = Buffer.from(texts.join(""));
        for (const { line, offset, bytes } of pieces) {
          const at = (starts[line] ?? 0) + offset;
          if (at > covered) expect(whole.toString("utf8", covered, at).trim()).toBe("");
          covered = at + bytes;
        }
        expect(whole.toString("utf8", covered).trim()).toBe("");
      }),
      { numRuns: 60 },
    );
  });
});
