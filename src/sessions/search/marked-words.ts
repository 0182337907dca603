/** Which words of a text are those that were asked for, in whatever form they stand there. */
import { identifierParts } from "../ingest/identifier-parts.ts";
import type { QueryTerm } from "./query.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ENDING = /(?:ations?|ions?|ings?|ers?|ed|es|ly|e|s)$/;
const SHORTEST_STEM = 3;

/** A word of a text that was asked for. */
export interface MarkedWord {
  /** Places in the text, as JavaScript counts them. */
  readonly start: number;
  readonly end: number;
  /** Which of the words that were asked for. */
  readonly word: string;
}

/** Finds the words asked for in a text, in order. */
export type Marker = (text: string) => readonly MarkedWord[];

export function markerOf(terms: readonly QueryTerm[]): Marker {
  const stems = new Map<string, string>();
  const beginnings: string[] = [];
  for (const { words, isPrefix } of terms) {
    for (const [place, word] of words.entries()) {
      if (isPrefix && place === words.length - 1) beginnings.push(plain(word));
      else stems.set(stem(plain(word)), word);
    }
  }
  const asked = (typed: string): string | undefined => {
    const word = plain(typed);
    return stems.get(stem(word)) ?? beginnings.find((beginning) => word.startsWith(beginning));
  };
  const known = new Map<string, string | undefined>();
  return (text) => {
    const marked: MarkedWord[] = [];
    for (const { 0: typed, index } of text.matchAll(WORD)) {
      if (!known.has(typed)) known.set(typed, asked(typed) ?? askedInside(typed, asked));
      const word = known.get(typed);
      if (word !== undefined) marked.push({ start: index, end: index + typed.length, word });
    }
    return marked;
  };
}

function askedInside(
  typed: string,
  asked: (word: string) => string | undefined,
): string | undefined {
  for (const part of identifierParts(typed).split(" ")) {
    const word = part === "" ? undefined : asked(part);
    if (word !== undefined) return word;
  }
  return undefined;
}

const ASCII = /^[ -~]*$/;

/** In lower case, without accents. */
function plain(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

/** Roughly what the index of words takes for the same; it only decides what is shown. */
function stem(word: string): string {
  let left = word;
  for (;;) {
    const shorter = left.replace(ENDING, "");
    if (shorter === left || shorter.length < SHORTEST_STEM) break;
    left = shorter;
  }
  return left.replace(/([^aeiouls])\1$/, "$1").replace(/y$/, "i");
}
