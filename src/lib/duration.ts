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

/** Milliseconds for people: `40ms`, `1.4s`, `12s`, `2m5s`, `1h2m`, `3d4h`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return inTwoUnits(seconds, 60, "m", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return inTwoUnits(minutes, 60, "h", "m");
  return inTwoUnits(Math.round(minutes / 60), 24, "d", "h");
}

function inTwoUnits(total: number, perUnit: number, unit: string, rest: string): string {
  const left = total % perUnit;
  return `${Math.floor(total / perUnit)}${unit}${left === 0 ? "" : `${left}${rest}`}`;
}
