/** Whatever letters a text is made of, grep finds it where it stands and nowhere else, and a search of it ends well. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { grepMessages } from "../../src/sessions/search/grep.ts";
import { searchSessions } from "../../src/sessions/search/search.ts";
import type { TestIndex } from "../support/transcripts/index.ts";
import { told } from "../support/transcripts/told.ts";

/** Among them marks, icons, digits and letters that two programs may take for different things. */
const CHARACTERS = [
  ..."aAbBzZ019_-.:/\\\"'*?[%()^@# \n",
  ..."éÉİıßſªÀ日世한хЖ٣²½Ⅷʼ",
  ..."\u0301\u0342\u0345\u093f\u094d\u0939\u0e33\u0e48\u200d\u00ad\u00a0\ufeff\ue0a0\u2028\u202e",
  ...[
    "🦀",
    "👩‍💻",
    "\u{1f1e9}\u{1f1ea}",
    "\u{1d400}",
    "\u{1e900}",
    "\u{1e922}",
    "\u{1fbf0}",
    "\u{20000}",
    "\u{10fffd}",
  ],
];
const WORDS = [
  "the",
  "of",
  "went",
  "parsePatch",
  "read_git",
  "Straße",
  "naïve",
  "nai\u0308ve",
  "AND",
  "NEAR(",
];
const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CHARACTERS) },
  { weight: 1, arbitrary: fc.constantFrom(...WORDS) },
);
const text = fc.array(part, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(""));

interface Stored {
  readonly text: string;
  readonly place: string;
}

let index: TestIndex;
let stored: readonly Stored[];

beforeAll(async () => {
  const said = fc.sample(text, { seed: 1, numRuns: 200 }).filter((one) => one.trim() !== "");
  index = await told({ one: { said: ["go", ...said] } });
  stored = index.database.all<Stored>("SELECT text, line_no AS place FROM messages");
  expect(stored.length).toBeGreaterThan(100);
});

afterAll(() => index[Symbol.asyncDispose]());

const lowerAscii = (all: string) => all.replace(/[A-Z]/g, (capital) => capital.toLowerCase());

test("grep finds every piece of a text in all texts that hold it", () => {
  const wanted = fc.nat({ max: 10_000 }).chain((which) => {
    const characters = [...(stored[which % stored.length]?.text ?? "")];
    return fc
      .tuple(fc.nat({ max: characters.length - 1 }), fc.nat({ max: characters.length }))
      .map(([from, length]) => characters.slice(from, from + length + 1).join(""));
  });
  fc.assert(
    fc.property(wanted, fc.boolean(), (piece, ignore_case) => {
      const folded = ignore_case ? lowerAscii : (all: string) => all;
      const expected = stored.filter(({ text: whole }) => folded(whole).includes(folded(piece)));
      const found = grepMessages(index.database, { text: piece, ignore_case, limit: 1000 });
      const places = (all: readonly (string | number)[]) =>
        all.map(Number).toSorted((a, b) => a - b);
      expect(places(found.map(({ line_no: line }) => line))).toEqual(
        places(expected.map(({ place }) => place)),
      );
    }),
    { numRuns: 2000, seed: 2 },
  );
});

test("what is found is shown in whole characters, with its places inside of it", () => {
  fc.assert(
    fc.property(text, (question) => {
      const found = searchSessions(index.database, { words: [question], limit: 3 });
      const hits = found.flatMap((session) => session.hits);
      for (const { snippet, matches } of [
        ...hits,
        ...grepMessages(index.database, { text: question, limit: 3 }),
      ]) {
        expect(snippet.isWellFormed()).toBe(true);
        const places = matches.flat();
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.at(-1) ?? 0).toBeLessThanOrEqual([...snippet].length);
      }
    }),
    { numRuns: 1000, seed: 3 },
  );
});
