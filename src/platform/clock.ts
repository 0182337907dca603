/** Time as a value that is passed in, so that tests can have their own. */
export interface Clock {
  now(): Date;
  /** The current time in UTC with milliseconds, always as wide: `2026-12-02T03:04:05.678Z`. */
  iso(): string;
  /** Milliseconds since some fixed moment; never goes back, whatever happens to the time of day. */
  monotonicMs(): number;
}

export function systemClock(): Clock {
  return {
    now: () => new Date(),
    iso: () => new Date().toISOString(),
    monotonicMs: () => performance.now(),
  };
}
