/** What a word may have been meant for that occurs nowhere. */
import type { Reader } from "../../platform/sqlite/database.ts";

/** Shorter words are near too many others. */
const SHORTEST = 5;
/** From this length on, two mistakes are forgiven. */
const LONG = 9;
const LETTERS = /^\p{L}+$/u;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ENDINGS = ["", "e", "s", "es", "ed", "ing", "er", "ion", "y", "ly", "ation"];
const MOST_READ = 100_000;
/** Messages of a store whose words are gone through for each letter. */
const SMALL = 50_000;

/**
 * The word of the store that is the fewest slips away, the most frequent of several; `undefined`
 * where none is near. A slip is a letter too many, too few, another one, or two in the wrong order.
 * The first letter is taken for right; so is the second where a word is near that has it, and in a
 * store whose words would take long to go through.
 */
export function meantWord(reader: Reader, word: string): string | undefined {
  if (word.length < SHORTEST || !LETTERS.test(word)) return undefined;
  const [first = "", second = ""] = word;
  const near = nearestTerm(reader, word, first + second);
  const term = near ?? (isSmall(reader) ? nearestTerm(reader, word, first) : undefined);
  return term === undefined ? undefined : asWritten(reader, term, word);
}

function isSmall(reader: Reader): boolean {
  const sql = "SELECT max(key) AS last FROM messages";
  return (reader.get<{ last: number | null }>(sql)?.last ?? 0) <= SMALL;
}

function nearestTerm(reader: Reader, word: string, beginning: string): string | undefined {
  const most = word.length >= LONG ? 2 : 1;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, word.length - ending.length),
  );
  let best: { readonly term: string; readonly slips: number; readonly count: number } | undefined;
  for (const { term, count } of reader.all<{ term: string; count: number }>(
    `SELECT term, doc AS count FROM message_terms
     WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?`,
    beginning,
    `${beginning}\u{10ffff}`,
    Math.max(3, word.length - most - 5),
    word.length + most,
  )) {
    const slips = Math.min(...stems.map((stem) => slipsBetween(stem, term, most)));
    if (slips > most) continue;
    const isBetter =
      best === undefined || slips < best.slips || (slips === best.slips && count > best.count);
    if (isBetter) best = { term, slips, count };
  }
  return best?.term;
}

/** The index holds stems; a message tells how the word is written. */
function asWritten(reader: Reader, term: string, typed: string): string | undefined {
  const row = reader.get<{ text: string }>(
    `SELECT messages.text FROM message_words JOIN messages ON messages.key = message_words.rowid
     WHERE message_words MATCH ? ORDER BY message_words.rowid DESC LIMIT 1`,
    `"${term}"`,
  );
  const words = (row?.text.slice(0, MOST_READ).toLowerCase().match(WORD) ?? []).filter((word) =>
    word.startsWith(term.slice(0, -1)),
  );
  const [nearest] = [...new Set(words)].toSorted(
    (a, b) => slipsBetween(a, typed, typed.length) - slipsBetween(b, typed, typed.length),
  );
  return nearest;
}

/** Letters to change, add, take away or swap with the next; more than `most` for any number above. */
function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      let slips = Math.min(
        (last[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        slips = Math.min(slips, (before[at - 2] ?? 0) + 1);
      }
      line.push(slips);
    }
    if (Math.min(...line) > most) return most + 1;
    before = last;
    last = line;
  }
  return last[other.length] ?? most + 1;
}
