import { expect, test } from "bun:test";
import { oneLine } from "../../../src/lib/one-line.ts";

test("a text becomes one line, without what surrounds it", () => {
  expect(oneLine("  a\n\tb  c\n")).toBe("a b c");
});

test.each(["é", "🦀", "x"])(
  "%p is cut between characters, never inside of one (oracle 22)",
  (character) => {
    const cut = oneLine(character.repeat(120), 90);
    expect(cut.isWellFormed()).toBe(true);
    expect([...cut]).toHaveLength(90);
    expect(cut.endsWith(`${character}…`)).toBe(true);
    expect(oneLine(character.repeat(60), 90)).toBe(character.repeat(60));
    expect(oneLine(character.repeat(90), 90)).toBe(character.repeat(90));
  },
);
