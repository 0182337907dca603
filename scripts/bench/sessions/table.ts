/** Rows of the table that is printed. */

/** @param share from 0 to 1. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param times in milliseconds, as `baselineTimes`. */
export function row(
  name: string,
  times: readonly number[],
  baseline: string,
  baselineTimes: readonly number[],
): string {
  const [middle, high, base] = [
    percentile(times, 0.5),
    percentile(times, 0.95),
    percentile(baselineTimes, 0.5),
  ];
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return `| ${name} | ${ms(middle)} | ${ms(high)} | ${baseline} | ${ms(base)} | ${(middle / base).toFixed(2)} x |`;
}
