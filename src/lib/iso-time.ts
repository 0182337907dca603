/** The last moment that a calendar of JavaScript has, from 1970 in either direction. */
const LAST_MS = 8.64e15;

/** Seconds since 1970 as a date; a moment that no calendar has becomes the nearest one that it has. */
export function dateOf(seconds: number): Date {
  return new Date(Math.max(-LAST_MS, Math.min(LAST_MS, seconds * 1000)));
}

/** Seconds since 1970 as UTC with milliseconds, of any size as `dateOf` takes them. */
export function isoTime(seconds: number): string {
  return dateOf(seconds).toISOString();
}

/** UTC with whole seconds. */
export function wholeSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}
