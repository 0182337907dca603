/** The part of a text that answers, in one line, and where in it the words stand. */
import { oneLine } from "../../lib/one-line.ts";
import { wholeCharacters } from "../../lib/whole-characters.ts";
import type { MarkedWord, Marker } from "./marked-words.ts";

const BEFORE = 60;
const LENGTH = 240;
/** Blanks count for one in a line. */
const MOST_READ = 8 * LENGTH;

export interface Snippet {
  readonly snippet: string;
  /** Where in it what was asked for stands: beginning and end of each place, in characters. */
  readonly matches: readonly (readonly [number, number])[];
}

/** The part of a text that holds the most of what is asked for. */
export function snippetOf(text: string, mark: Marker): Snippet {
  const at = richest(mark(text));
  const from = at <= BEFORE ? 0 : wordStart(text, at - BEFORE);
  const part = wholeCharacters(text.slice(from, from + MOST_READ));
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
  return space < 0 ? from : from + space + 1;
}
