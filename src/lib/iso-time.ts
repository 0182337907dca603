/** The last moment that a calendar of JavaScript has, from 1970 in either direction. */
const LAST_MS = 8.64e15;

/** UTC with milliseconds; a moment that no calendar has becomes the nearest one that it has. */
export function isoTime(seconds: number): string {
  return new Date(Math.max(-LAST_MS, Math.min(LAST_MS, seconds * 1000))).toISOString();
}
