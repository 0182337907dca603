/** What somebody asks for in plain language, as an expression of FTS5 that never fails to parse. */

const TERM = /"([^"]+)"|([\p{L}\p{N}_][\p{L}\p{N}_.\-/:]*\*?)|([\p{L}\p{N}]+)/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** Words of questions that say nothing about what is asked for. */
const QUESTION_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its " +
    "me my not of on or our should so that the their them then there these they this to was we were what when " +
    "where which who why will with would you your"
  ).split(" "),
);
const MOST_TERMS = 64;

export interface SearchQuery {
  /** Words in lower case, as they were typed. */
  readonly words: readonly string[];
  /** For `MATCH`; empty where nothing was asked that can be looked for. */
  readonly match: string;
}

/**
 * Any of the words is enough, and more of them rank higher; words in quotes belong together, and one
 * that ends in `*` stands for all that begin so.
 */
export function parseQuery(text: string): SearchQuery {
  const terms = [...text.matchAll(TERM)].slice(0, MOST_TERMS);
  const parts = terms.flatMap(([whole, phrase, joined]) => {
    const words = [...(phrase ?? joined ?? whole).matchAll(WORD)].map(([word]) =>
      word.toLowerCase(),
    );
    if (words.length === 0) return [];
    return [{ words, isPrefix: phrase === undefined && whole.endsWith("*") }];
  });
  const telling = parts.filter(
    ({ words, isPrefix }) => isPrefix || words.length > 1 || !QUESTION_WORDS.has(words[0] ?? ""),
  );
  const kept = telling.length > 0 ? telling : parts;
  const expressions = kept.map(
    ({ words, isPrefix }) => `"${words.join(" ")}"${isPrefix ? "*" : ""}`,
  );
  return {
    words: [...new Set(kept.flatMap(({ words }) => words))],
    match: [...new Set(expressions)].join(" OR "),
  };
}
