/** Random draws that are the same for the same seed. */

export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const DIGITS = "0123456789";
export const BASE32 = `${UPPER}234567`;
export const BASE62 = `${LOWER}${UPPER}${DIGITS}`;
export const BASE64 = `${BASE62}+/`;
export const URL_SAFE = `${BASE62}_-`;
export const HEX = `${DIGITS}abcdef`;

export interface Draw {
  /** As many characters of an alphabet, letters and digits without one. */
  text(length: number, alphabet?: string): string;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
}

/** A sequence that is as good as random. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    text: (length, alphabet = BASE62) =>
      Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join(""),
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    between: (least, most) => least + below(most - least + 1),
  };
}
