import { oneLine } from "../../lib/one-line.ts";

const BEFORE = 80;
const LENGTH = 240;
/** Blanks count for one in a line. */
const MOST_READ = 8 * LENGTH;

/** The part of a text around the first of the words that it holds, in one line. */
export function snippet(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const from = at <= BEFORE ? 0 : wordStart(text, at - BEFORE);
  const part = text.slice(from, from + MOST_READ);
  return oneLine(`${from > 0 ? "… " : ""}${part}`, LENGTH);
}

/** The beginning of the first word that begins at a place or after it. */
function wordStart(text: string, from: number): number {
  const space = text.slice(from, from + BEFORE).search(/\s\S/);
  return space < 0 ? from : from + space + 1;
}
