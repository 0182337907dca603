/** Where fault tests fail: at a spread of points, or, for `scripts/labs/every-fault.ts`, at each. */

/** Set for the tests by the lab. */
export const EVERY_FAULT = "PALLIUM_TEST_EVERY_FAULT";

const isEvery = process.env[EVERY_FAULT] === "1";

/** Of a kind with no more steps than this each is chosen. */
const FEW = 2;

/**
 * The first, the middle and the last step of each kind.
 * @param steps what each step of a process is, in order.
 * @returns numbers of steps, from 1.
 */
export function chosenSteps(steps: readonly string[]): readonly number[] {
  const numbered = steps.map((kind, index) => ({ kind, number: index + 1 }));
  if (isEvery) return numbered.map(({ number }) => number);
  const kinds = Object.values(Object.groupBy(numbered, ({ kind }) => kind));
  const chosen = kinds.flatMap((ones = []) =>
    ones.length <= FEW ? ones : [ones[0], ones[Math.floor(ones.length / 2)], ones.at(-1)],
  );
  const numbers = chosen.flatMap((one) => (one === undefined ? [] : [one.number]));
  return numbers.toSorted((a, b) => a - b);
}

/** How far apart points are whose number is known only at the end; `wanted` where not each is tried. */
export function strideOf(wanted: number): number {
  return isEvery ? 1 : wanted;
}

/** The next points to try at once, from 1 on. @param tried how many were. */
export function nextPoints(tried: number, atOnce: number, stride: number): readonly number[] {
  return Array.from({ length: atOnce }, (_, index) => (tried + index) * stride + 1);
}
