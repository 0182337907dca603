/** Numbers that are the same in every run. */

/** @returns a function that gives numbers from 0 to less than 1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of some values, without repetition, in their order; all where there are no more. */
export function sample<T>(values: readonly T[], size: number, random: () => number): readonly T[] {
  if (values.length <= size) return values;
  const keys = values.map(() => random());
  const chosen = keys.map((_, at) => at).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return chosen
    .slice(0, size)
    .sort((a, b) => a - b)
    .flatMap((at) => values.slice(at, at + 1));
}
