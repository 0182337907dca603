/** Words of questions and messages, as the index splits them. */

/** Words that say nothing of what a question is about. */
const STOP_WORDS = new Set(
  `a about after all an and any are as at be been before being but by can could did do does doing for
   from get had has have how i if in into is it its just me my no not of on or our out over should so
   some than that the their them then there these they this those to under up was we were what when
   where which while who whom why will with would you your`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}]+/gu;
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** What English puts behind a word; the index knows the rules in full, this finds the place again. */
const ENDING = /(?:ations?|ings?|edly|ed|ers?|ies|es|s|e|y)$/;
const SHORTEST_STEM = 3;

/** The words of a text in lower case, in order. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** What a question asks for: each word once, small words left out unless there are no others. */
export function queryWords(question: string): readonly string[] {
  const split = question.replaceAll(/[\p{L}\p{N}]+/gu, (word) => word.split(CAMEL).join(" "));
  const words = [...new Set([...wordsOf(question), ...wordsOf(split)])];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** A word without its ending, so that `decided` and `deciding` meet. */
export function stem(word: string): string {
  const short = word.replace(ENDING, "");
  return short.length >= SHORTEST_STEM ? short : word;
}
