/** The part of a text that answers, in one line, and where in it the words stand. */
import { oneLine } from "../../lib/one-line.ts";
import type { MarkedWord, Marker } from "./marked-words.ts";

const BEFORE = 60;
const LENGTH = 240;
/** Blanks count for one in a line. */
const MOST_READ = 8 * LENGTH;
const HALF_AT_END = /[\ud800-\udbff]$/;
export interface Snippet {
  readonly snippet: string;
  /** Where in it what was asked for stands: beginning and end of each place, in characters. */
  readonly matches: readonly (readonly [number, number])[];
}

/** The part of a text that holds the most of what is asked for. */
export function snippetOf(text: string, mark: Marker): Snippet {
  const at = richest(mark(text));
  const from = at <= BEFORE ? 0 : wordStart(text, at - BEFORE);
  const part = text.slice(from, from + MOST_READ).replace(HALF_AT_END, "");
  const snippet = oneLine(`${from > 0 ? "… " : ""}${part}`, LENGTH);
  return {
    snippet,
    matches: mark(snippet).map(({ start, end }) => inCharacters(snippet, start, end)),
  };
}

/** Where the stretch begins that holds the most different words; the first of several. */
function richest(marked: readonly MarkedWord[]): number {
  const inside = new Map<string, number>();
  let best = { at: 0, words: 0 };
  let last = 0;
  for (const { start, word: leaving } of marked) {
    for (; last < marked.length; last += 1) {
      const { end = 0, word = "" } = marked[last] ?? {};
      if (end > start + LENGTH - BEFORE) break;
      inside.set(word, (inside.get(word) ?? 0) + 1);
    }
    if (inside.size > best.words) best = { at: start, words: inside.size };
    const rest = (inside.get(leaving) ?? 0) - 1;
    if (rest <= 0) inside.delete(leaving);
    else inside.set(leaving, rest);
  }
  return best.at;
}

/** A character may take two units of a JavaScript text. */
function inCharacters(text: string, start: number, end: number): readonly [number, number] {
  const before = [...text.slice(0, start)].length;
  return [before, before + [...text.slice(start, end)].length];
}

/** The beginning of the first word that begins at a place or after it. */
function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + BEFORE).search(/\s\S/);
  if (space >= 0) return from + space + 1;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

/** Whether this is the second half of a character that takes two units. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
