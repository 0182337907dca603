/** Times as people write them on a command line. */
import { parseDuration } from "../lib/duration.ts";
import { usageError } from "../lib/errors.ts";

/** ISO 8601; a date alone is of UTC, a time without an offset is of this computer. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;
const NONE = /^0+[smhd]?$/;

/** Milliseconds of a text such as `30m`; `0s` is none at all. @throws PalliumError `usage`. */
export function durationMs(flag: string, text: string): number {
  const ms = NONE.test(text.trim()) ? 0 : parseDuration(text);
  if (ms !== undefined) return ms;
  throw usageError(`invalid --${flag} duration "${text}": write it like 90s, 30m or 1h30m`);
}

/** A date, or a time ago, as UTC with milliseconds. @throws PalliumError `usage`. */
export function momentSince(text: string, now: Date, flag = "since"): string {
  const ago = parseDuration(text);
  const moment = ago === undefined ? dateOf(text.trim()) : new Date(now.getTime() - ago);
  if (moment !== undefined) return moment.toISOString();
  throw usageError(
    `invalid --${flag} "${text}": give a date such as 2026-12-01, or a time ago such as 7d`,
  );
}

function dateOf(text: string): Date | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const date = new Date(text.replace(" ", "T"));
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number.isNaN(date.getTime()) || !(Number(day) <= daysInMonth) ? undefined : date;
}
