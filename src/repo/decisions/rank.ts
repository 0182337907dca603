/** Which messages answer a question best. */
import { byText } from "../../lib/by-text.ts";
import { memoise } from "../../lib/memoise.ts";
import type { Message } from "./messages.ts";
import { stem, wordsOf } from "./words.ts";

/** A word in the subject says as much as so many in the body. */
const SUBJECT_WEIGHT = 3;
/** Saturation of BM25 (Robertson and Zaragoza 2009) at its usual value. */
const K1 = 1.2;
/** Its length normalisation, usually 0.75: of a decision the long message is the one that explains. */
const B = 0.3;
/** What a message gains for words of the question that stand next to each other. */
const ADJACENCY_WEIGHT = 0.5;
/** What a message gains that gives a reason, so that bare mentions come after. */
const REASON_WEIGHT = 0.5;

/** Why something is done. */
const REASON =
  /\b(?:decid(?:e[sd]?|ing)|decisions?|because|instead of|rather than|in favou?r of|trade-?offs?|so that|since we|the reason|rationale|we chose|chosen|prefer(?:red)?|no longer|on purpose|deliberate(?:ly)?|by design|avoid(?:s|ing)?)\b/gi;
/** What holds from now on. */
const RULE =
  /\b(?:reject(?:s|ed)?|refuses?|requires?|forbids?|disallow(?:s|ed)?|deprecat(?:e[sd]?|ing)|drops? support|switch(?:ed|es)? to|by default|must(?: not)?|never|always)\b/gi;
/** A rule without a reason says half as much. */
const RULE_WEIGHT = 0.5;
const MOST_REASONS = 3;

/** How much a message sounds like one that states a decision or its reason, 0 to 1. */
export function reasonScore({ subject, body, isRecorded = false }: Message): number {
  if (isRecorded) return 1;
  const text = `${subject}\n${body}`;
  const found = different(text, REASON) + RULE_WEIGHT * different(text, RULE);
  return Math.min(found, MOST_REASONS) / MOST_REASONS;
}

function different(text: string, phrases: RegExp): number {
  return new Set([...text.matchAll(phrases)].map(([phrase]) => phrase.toLowerCase())).size;
}

/** The best messages first; those in which no word is found again are left out. */
export function rankMessages(
  messages: readonly Message[],
  words: readonly string[],
  limit: number,
): readonly Message[] {
  const stems = words.map(stem);
  const stemOf = memoise(stem);
  const texts = messages.map((message) => ({ message, terms: termsOf(message, stemOf) }));
  const meanLength = mean(texts.map(({ terms }) => terms.length));
  const rarity = stems.map((word) => {
    const holders = texts.filter(({ terms }) => terms.includes(word)).length;
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
  });
  return texts
    .map(({ message, terms }) => ({
      message,
      score: bm25(terms, stems, rarity, meanLength) * (1 + REASON_WEIGHT * reasonScore(message)),
    }))
    .filter(({ score }) => score > 0)
    .sort(
      (a, b) =>
        b.score - a.score ||
        b.message.committedAt - a.message.committedAt ||
        byText(a.message.hash, b.message.hash),
    )
    .slice(0, limit)
    .map(({ message }) => message);
}

function termsOf({ subject, body }: Message, stemOf: (word: string) => string): readonly string[] {
  const title = wordsOf(subject).map(stemOf);
  const repeated = Array.from({ length: SUBJECT_WEIGHT - 1 }, () => title).flat();
  return [...title, ...wordsOf(body).map(stemOf), ...repeated];
}

function bm25(
  terms: readonly string[],
  stems: readonly string[],
  rarity: readonly number[],
  meanLength: number,
): number {
  const norm = K1 * (1 - B + (B * terms.length) / (meanLength || 1));
  const base = stems.reduce((sum, word, at) => {
    const count = terms.filter((term) => term === word).length;
    return sum + ((rarity[at] ?? 0) * count * (K1 + 1)) / (count + norm);
  }, 0);
  return base * (1 + ADJACENCY_WEIGHT * adjacency(terms, stems));
}

/** The share of neighbouring words of the question that are neighbours in the text too. */
function adjacency(terms: readonly string[], stems: readonly string[]): number {
  if (stems.length < 2) return 0;
  const met = stems
    .slice(1)
    .filter((word, at) =>
      terms.some((term, place) => term === word && terms[place - 1] === stems[at]),
    );
  return met.length / (stems.length - 1);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
