import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { holdsText } from "../../../../src/sessions/search/text-condition.ts";

/** Whether SQLite finds the text. */
function holds(database: Database, whole: string, text: string, ignoreCase: boolean): boolean {
  const { sql, params } = holdsText("text", text, ignoreCase);
  const query = database.query(`SELECT ${sql} AS found FROM (SELECT ? AS text)`);
  // The column comes first in what is written, its value last.
  const found = query.get(...params, whole) as { found: number };
  return found.found === 1;
}

const lowerAscii = (text: string) =>
  text.replace(/[A-Z]/g, (capital) => String.fromCharCode(capital.charCodeAt(0) + 32));

const CHARACTERS = [..."*?[]%_\\^-aAbZéÉİ日 \n'\"", "🦀", "🦞"];
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((all) => all.join(""));
const piece = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 4 });

test("a text is found where it stands, whatever its characters mean to patterns", () => {
  using database = new Database(":memory:");
  fc.assert(
    fc.property(text, piece, text, (before, middle, after) => {
      const wanted = middle.join("");
      const whole = `${before}${wanted}${after}`;
      expect(holds(database, whole, wanted, false)).toBe(true);
      expect(holds(database, whole, wanted, true)).toBe(true);
      for (const other of [before, after, lowerAscii(whole), whole.toUpperCase()]) {
        expect(holds(database, other, wanted, false)).toBe(other.includes(wanted));
        const folded = lowerAscii(other).includes(lowerAscii(wanted));
        expect(holds(database, other, wanted, true)).toBe(folded);
      }
    }),
    { numRuns: 500 },
  );
});

test("a text longer than any pattern is found, and one that differs behind that length is not", () => {
  using database = new Database(":memory:");
  const long = `🦀${"é[".repeat(40_000)}`;
  for (const ignoreCase of [false, true]) {
    expect(holds(database, `x${long}end`, `${long}end`, ignoreCase)).toBe(true);
    expect(holds(database, `x${long}other`, `${long}end`, ignoreCase)).toBe(false);
    // A character of two halves where the pattern is cut.
    const crab = `Q${"🦀".repeat(600)}`;
    expect(holds(database, crab, crab, ignoreCase)).toBe(true);
  }
});
