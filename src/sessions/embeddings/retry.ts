/** How long to wait before a busy model is asked again. */

/** Times that one request is sent at most. */
export const MOST_ATTEMPTS = 10;
/** Whoever says that it takes longer is not waited for. */
const LONGEST_WAIT_MS = 120_000;
const LONGEST_PAUSE_MS = 30_000;
const HINT = /try again in (\d+(?:\.\d+)?)\s*(ms|s)\b/i;
/** So much of a wait is added at most, so that those who were refused together do not come again together. */
const JITTER = 0.25;

/** What a model says that is busy. */
export interface Refusal {
  /** Header `Retry-After`, seconds or a date; empty without. */
  readonly retryAfter: string;
  readonly text: string;
}

/** Without a word of the model's: 1, 2, 4, 8, 16 seconds, then 30. @param attempt from 0. */
export function pauseMs(attempt: number): number {
  return Math.min(2 ** Math.min(attempt, 5) * 1000, LONGEST_PAUSE_MS);
}

/** What the model asks for, in milliseconds; `undefined` where it says nothing. */
function askedWaitMs({ retryAfter, text }: Refusal, now: Date): number | undefined {
  const seconds = Number(retryAfter);
  if (seconds > 0) return seconds * 1000;
  const until = Number.isNaN(seconds) ? Date.parse(retryAfter) - now.getTime() : 0;
  if (until > 0) return until;
  const [, amount, unit] = HINT.exec(text) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1000);
}

/**
 * Never earlier than it was asked for.
 * @param random from 0 up to 1.
 * @returns milliseconds; `undefined` where it is too long to wait.
 */
export function retryWaitMs(
  attempt: number,
  refusal: Refusal,
  now: Date,
  random: number,
): number | undefined {
  const wait = askedWaitMs(refusal, now) ?? pauseMs(attempt);
  return wait > LONGEST_WAIT_MS ? undefined : Math.ceil(wait * (1 + JITTER * random));
}
