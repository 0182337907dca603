/** Lengths of time as people write them. */
const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 366 * 86_400_000;
const PART = /(\d+(?:\.\d+)?)([smhd])/y;

/**
 * Milliseconds of a text such as `90s`, `30m`, `1.5h`, `2d` or `1h30m`; `undefined` for any other,
 * and for none or more than a year.
 */
export function parseDuration(text: string): number | undefined {
  const written = text.trim().toLowerCase();
  const part = new RegExp(PART);
  let ms = 0;
  while (part.lastIndex < written.length) {
    const found = part.exec(written);
    if (found === null) return undefined;
    ms += Number(found[1]) * (UNITS_MS[found[2] ?? ""] ?? Number.NaN);
  }
  return ms > 0 && ms <= LONGEST_MS ? Math.round(ms) : undefined;
}
