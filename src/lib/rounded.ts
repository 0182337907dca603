/** A number to three digits behind the point, as reports print shares and weights. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
