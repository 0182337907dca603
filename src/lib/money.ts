/** Money is counted in whole micro-dollars: sums are exact, a sixth 0.01 fits into 0.06. */
export const MICROS_PER_DOLLAR = 1_000_000;

/**
 * Parses decimal US dollars (`"1.50"`) to micro-dollars, rounding digits past the sixth up.
 * @returns `undefined` for anything but a plain decimal number of zero or more.
 */
export function parseDollars(text: string): number | undefined {
  const match = /^(\d{0,9})(?:\.(\d*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  if (whole === "" && fraction === "") return undefined;
  const kept = Number(fraction.slice(0, 6).padEnd(6, "0"));
  const roundUp = /[1-9]/.test(fraction.slice(6)) ? 1 : 0;
  return Number(whole || "0") * MICROS_PER_DOLLAR + kept + roundUp;
}

/** Micro-dollars as a number of dollars, for JSON. */
export function toDollars(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** Micro-dollars as text with four decimals, for messages. */
export function formatDollars(micros: number): string {
  return `$${(micros / MICROS_PER_DOLLAR).toFixed(4)}`;
}

/** A sum or difference of dollars without the digits that floating point adds past the sixth. */
export function withoutNoise(dollars: number): number {
  return toDollars(Math.round(dollars * MICROS_PER_DOLLAR));
}
