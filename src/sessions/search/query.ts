/** What somebody asks for in plain language, as terms that an index of words can be asked for. */
import { identifierParts } from "../ingest/identifier-parts.ts";
import { wordForms } from "./word-forms.ts";

/** Words in quotes; words that other characters join, such as paths; words. */
const TERM = /"([^"]+)"|([\p{L}\p{N}_][\p{L}\p{N}\p{M}_.\-/:\\@#]*\*?)|([\p{L}\p{N}]+)/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** What an apostrophe cuts off, such as `'s`, is no word. */
const CUT_OFF = /(?<=\p{L})(?:n['’]t|['’](?:s|d|m|t|ll|re|ve))(?![\p{L}\p{N}])/giu;
/** Words of questions that say nothing about what is asked for. */
const QUESTION_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its " +
    "me my not of on or our should so that the their them then there these they this to was we were what when " +
    "where which who why will with would you your"
  ).split(" "),
);
/** A question has fewer; a text that was pasted is looked for by the first of its words that tell something. */
const MOST_TERMS = 64;
/** What each word of a path or of a name in several parts counts beside the whole. */
const PART_WEIGHT = 0.6;

export interface QueryTerm {
  /** An expression of FTS5 that never fails to parse; any of its alternatives is this term. */
  readonly match: string;
  /** In lower case, as they may be written in a text. */
  readonly words: readonly string[];
  readonly weight: number;
  /** A single word; others are several words in a row, or beginnings. */
  readonly isWord: boolean;
  /** Whether the last of its words is a beginning. */
  readonly isPrefix: boolean;
}

export interface SearchQuery {
  readonly terms: readonly QueryTerm[];
}

/**
 * Any of the words is enough, and more of them rank higher; words in quotes belong together, and one
 * that ends in `*` stands for all that begin so.
 */
export function parseQuery(text: string): SearchQuery {
  const found = [...text.replace(CUT_OFF, " ").matchAll(TERM)];
  const parts = found.flatMap(([whole, phrase, joined]) => {
    const typed = [...(phrase ?? joined ?? whole).matchAll(WORD)].map(([word]) => word);
    if (typed.length === 0) return [];
    return [{ typed, isPhrase: phrase !== undefined, isPrefix: whole.endsWith("*") }];
  });
  const telling = parts.filter(
    ({ typed, isPrefix }) => isPrefix || typed.length > 1 || !isQuestionWord(typed[0] ?? ""),
  );
  const terms = new Map<string, QueryTerm>();
  for (const part of telling.length > 0 ? telling : parts) {
    for (const term of termsOf(part)) {
      const known = terms.get(term.match);
      if (known === undefined || known.weight < term.weight) terms.set(term.match, term);
    }
  }
  return { terms: [...terms.values()].slice(0, MOST_TERMS) };
}

function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word.toLowerCase());
}

interface Part {
  readonly typed: readonly string[];
  readonly isPhrase: boolean;
  readonly isPrefix: boolean;
}

function termsOf({ typed, isPhrase, isPrefix }: Part): readonly QueryTerm[] {
  const [only = ""] = typed;
  if (typed.length === 1 && !isPrefix && !isPhrase) return [oneWord(only, 1)];
  const words = typed.map((word) => word.toLowerCase());
  const whole = {
    match: `${quoted(words)}${isPrefix ? "*" : ""}`,
    words,
    weight: 1,
    isWord: false,
    isPrefix,
  };
  if (isPhrase || typed.length === 1) return [whole];
  const telling = typed.filter((word) => !isQuestionWord(word));
  return [whole, ...telling.map((word) => oneWord(word, PART_WEIGHT))];
}

/** A word in all its forms, and for `parsePatch` also `parse_patch`. */
export function oneWord(typed: string, weight: number): QueryTerm {
  const forms = wordForms(typed.toLowerCase());
  const parts = identifierParts(typed)
    .split(" ")
    .filter((part) => part !== "");
  const inside = parts.length > 1 ? parts : [];
  const alternatives = forms.map((form) => quoted([form]));
  if (inside.length > 0) alternatives.push(quoted(inside));
  return {
    match: alternatives.join(" OR "),
    words: [...forms, ...inside],
    weight,
    isWord: true,
    isPrefix: false,
  };
}

function quoted(words: readonly string[]): string {
  return `"${words.join(" ")}"`;
}
