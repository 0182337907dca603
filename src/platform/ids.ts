import type { Clock } from "./clock.ts";

/** Crockford's base 32 in lower case: its order is that of ASCII, and no two letters look alike. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGIT_BITS = 5n;
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 12;
const RANDOM_BITS = DIGIT_BITS * BigInt(RANDOM_DIGITS);

export interface Ids {
  /**
   * A new id: prefix, `-`, time in milliseconds, randomness. Ids of a prefix sort as text by when
   * they were made; within one process strictly, even when the clock stands still or goes back.
   */
  next(prefix: string): string;
}

export function createIds(clock: Clock): Ids {
  let last = 0n;
  return {
    next: (prefix) => {
      const fresh = (BigInt(clock.now().getTime()) << RANDOM_BITS) | randomBits();
      last = fresh > last ? fresh : last + 1n;
      return `${prefix}-${encode(last)}`;
    },
  };
}

/** The highest bit stays 0, so that counting up from it cannot soon overflow into the time. */
function randomBits(): bigint {
  const [value = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return BigInt.asUintN(Number(RANDOM_BITS) - 1, value);
}

function encode(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < TIME_DIGITS + RANDOM_DIGITS; rest >>= DIGIT_BITS) {
    text = DIGITS.charAt(Number(rest & 31n)) + text;
  }
  return text;
}
