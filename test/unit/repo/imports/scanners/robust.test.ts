/** Whatever the text, every scanner answers, in plain JSON, and in time that grows with the text alone. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { scan } from "../../../../../src/repo/imports/scan.ts";
import type { Language } from "../../../../../src/repo/imports/types.ts";

const LANGUAGES: readonly Language[] = [
  "javascript",
  "go",
  "python",
  "rust",
  "java",
  "kotlin",
  "csharp",
  "ruby",
  "php",
  "c",
];
const PIECES =
  `" ' \` """ ''' \\ / // /* */ # #{ \${ { } ( ) < > <<~A <<<A A ?> <? <?php % %w[ ?" :" $" r#" R"( )" @" $" =begin =end __END__ import from use mod require package namespace class a.b.C a::b ; , = : \n \r\n \u0000 \ud800 é é`
    .split(" ")
    .concat([" ", "\n", "\t"]);

for (const language of LANGUAGES) {
  test(`scan() answers for any text in ${language}`, () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 80 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, (source) => {
        const found = scan(language, language === "php" ? `<?php ${source}` : source);
        expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
}

/** Text that would cost the square of its length if any part were looked at again and again. */
const HARD: readonly (readonly [name: string, piece: string])[] = [
  ["openings of strings", "`\\"],
  ["openings of comments", "/*"],
  ["openings of nested comments with one end", "/* "],
  ["openings of raw strings", 'r#"'],
  ["heredocs", "<<~A\n"],
  ["words", "import export from use mod "],
  ["braces", "{"],
  ["mods", "mod a {"],
  ["clauses", "import a, "],
  ["dots", "a.b."],
  ["brackets", "import ("],
  ["percent literals", "%w["],
  ["classes of expressions", "(/["],
  ["raw strings of C++", 'R"('],
  ["verbatim strings", '@"'],
  ["slashes", " / a"],
  ["generics", "require<<<"],
  ["blanks", " \t"],
  ["declarations", "public static final "],
  ["markup", "?>"],
  ["scripts of components", "<script>"],
  ["exports", "export * from export { a } export const a = {"],
  ["colons", "a::"],
];

for (const language of LANGUAGES) {
  /** Where time grew with the square, this would not end within the limit of a test. */
  test(`scan() comes to an end of hard text in ${language}`, () => {
    for (const [name, piece] of HARD) {
      const text = `<?php ${piece.repeat(Math.ceil(600_000 / piece.length))}`;
      const { references } = scan(language, text);
      expect([name, references.length <= 2001]).toEqual([name, true]);
    }
  });
}
