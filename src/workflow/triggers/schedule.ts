/** When triggers of time are due. */

import { parseDuration } from "../../lib/duration.ts";
import { messageOf, usageError } from "../../lib/errors.ts";

/** Of a pattern's times that passed no more are counted. */
const MOST_COUNTED = 1000;
const SHORTEST_MS = 1000;

export interface Schedule {
  readonly kind: "interval" | "cron";
  readonly text: string;
  /** IANA name; only patterns have need of it. */
  readonly timeZone: string;
}

export interface Passed {
  /** Times that passed before the latest one. */
  readonly missed: number;
  /** The first time after now. */
  readonly next: Date;
}

/** The times of one schedule. */
export interface Cadence {
  /** The first time after a moment at which nothing was due yet. */
  first(now: Date): Date;
  /** @param due the time that was waited for; not after `now`. */
  pass(due: Date, now: Date): Passed;
}

/** @throws PalliumError `usage` for what is no length of time, no pattern or no time zone. */
export async function openSchedule({ kind, text, timeZone }: Schedule): Promise<Cadence> {
  return kind === "interval" ? interval(text) : cron(text, timeZone);
}

/** Keeps its beat: a run that starts late does not put off the next one. */
function interval(text: string): Cadence {
  const every = parseDuration(text) ?? 0;
  if (every < SHORTEST_MS) {
    throw usageError(
      `invalid trigger interval ${JSON.stringify(text)}`,
      "write a second or more, such as --every 15m or --every 1h30m",
    );
  }
  return {
    first: (now) => new Date(now.getTime() + every),
    pass: (due, now) => {
      const missed = Math.floor((now.getTime() - due.getTime()) / every);
      return { missed, next: new Date(due.getTime() + (missed + 1) * every) };
    },
  };
}

async function cron(pattern: string, timeZone: string): Promise<Cadence> {
  assertTimeZone(timeZone);
  const { Cron } = await import("croner");
  const times = parsed(() => new Cron(pattern, { timezone: timeZone, mode: "5-part" }), pattern);
  const after = (moment: Date): Date => {
    const next = times.nextRun(moment);
    if (next !== null) return next;
    throw badPattern(pattern, "it names no time that comes");
  };
  after(new Date(0));
  return {
    first: after,
    pass: (due, now) => {
      let missed = 0;
      let next = after(due);
      while (next <= now && missed < MOST_COUNTED) {
        missed += 1;
        next = after(next);
      }
      return { missed, next: next <= now ? after(now) : next };
    },
  };
}

function parsed<T>(parse: () => T, pattern: string): T {
  try {
    return parse();
  } catch (error) {
    throw badPattern(pattern, messageOf(error).replace(/^CronPattern: /, ""));
  }
}

function badPattern(pattern: string, why: string) {
  return usageError(
    `invalid cron pattern ${JSON.stringify(pattern)}: ${why}`,
    'write minute, hour, day, month and weekday, such as --cron "0 9 * * 1-5"',
  );
}

function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      `unknown time zone ${JSON.stringify(timeZone)}`,
      "use an IANA name, such as --tz Europe/Berlin",
    );
  }
}
