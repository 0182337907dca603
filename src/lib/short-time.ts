const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;

/** A length of time as people read it, in whole seconds and two units at most: `7s`, `2m 05s`, `3h 12m`. */
export function shortTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < MINUTE_S) return `${seconds}s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)}m ${two(seconds % MINUTE_S)}s`;
  return `${Math.floor(seconds / HOUR_S)}h ${two(Math.floor((seconds % HOUR_S) / MINUTE_S))}m`;
}
