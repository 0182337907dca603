/** Other ways to read a text: as it was before programs wrote it into strings, or numbered its lines. */

/** What a quote or a line end becomes, however many strings it was written into, one within the other. */
const ESCAPED = /(?<!\\)\\+(?:["'`nrt]|u00[0-7][0-9a-f])/g;
const HAS_ESCAPED = /\\["'nt]/;
const MEANT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const JSON_BEGINS = /^\s*[{[]/;
/** As agents' tools show files. */
const NUMBER = /^[ \t]{0,8}\d{1,6}(?:→|\t)/gm;

export interface Reading {
  readonly text: string;
  /** The offset in the text as it stands of one in this. */
  readonly original: (offset: number) => number;
}

/**
 * Without escapes; where there were any, or the text begins as JSON does, also with each string in lines
 * of its own; and without the numbers of lines. None where the text is all that can be read.
 */
export function otherReadings(text: string): readonly Reading[] {
  const readings: Reading[] = [];
  let last: Reading = { text, original: (offset) => offset };
  const add = (reading: Reading): void => {
    readings.push(reading);
    last = reading;
  };
  if (HAS_ESCAPED.test(text)) add(replaced(last, ESCAPED, meaningOf));
  if (readings.length > 0 || JSON_BEGINS.test(text)) {
    add({ ...last, text: last.text.replaceAll('"', "\n") });
  }
  if (last.text.search(NUMBER) >= 0) add(replaced(last, NUMBER, () => ""));
  return readings;
}

function meaningOf(written: string): string {
  const last = written.slice(-1);
  if (written.includes("u00")) return String.fromCharCode(Number.parseInt(written.slice(-2), 16));
  return MEANT[last] ?? last;
}

function replaced(
  { text, original }: Reading,
  pattern: RegExp,
  meaning: (written: string) => string,
): Reading {
  const parts: string[] = [];
  /** Offsets from which on as many characters more are missing. */
  const ends: number[] = [];
  const missing: number[] = [];
  let [from, length, lost] = [0, 0, 0];
  for (const { 0: written, index } of text.matchAll(pattern)) {
    const meant = meaning(written);
    parts.push(text.slice(from, index), meant);
    length += index - from + meant.length;
    lost += written.length - meant.length;
    ends.push(length);
    missing.push(lost);
    from = index + written.length;
  }
  parts.push(text.slice(from));
  return {
    text: parts.join(""),
    original: (offset) => original(offset + (missing[lastAt(ends, offset)] ?? 0)),
  };
}

/** Index of the last of the ascending numbers that is not above the value; -1 where all are. */
function lastAt(ascending: readonly number[], value: number): number {
  let [low, high] = [-1, ascending.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
