/** When a used-up quota comes back, as far as the provider's own words say. Pure. */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A number or a date further away is something else than a reset. */
const HORIZON_MS = 35 * DAY_MS;

const ISO_TIME = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})/g;
const UNIX_TIME = /(?<!\d)(\d{10})(\d{3})?(?!\d)/g;
const RESET_SECONDS =
  /(?:resets?_(?:in|after)_seconds|retry[-_ ]after(?:_seconds)?)"?\s*[:=]\s*(\d{1,7}(?:\.\d+)?)/i;
const UNIT = "days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s";
const DURATION = new RegExp(
  `\\b(?:again|resets?|retry|available|back|renews?)\\s+(?:in|after)\\s+((?:\\d{1,5}(?:\\.\\d+)?\\s*(?:${UNIT})(?![a-z])[\\s,]*(?:and\\s+)?)+)`,
  "i",
);
const DURATION_PART = new RegExp(`(\\d{1,5}(?:\\.\\d+)?)\\s*(${UNIT})(?![a-z])`, "gi");
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const CLOCK_TIME = new RegExp(
  [
    "\\b(?:at|resets?|until)\\s+(?:at\\s+|on\\s+)?",
    `(?:(?<month>${MONTHS.join("|")})[a-z]*\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?:(?<year>\\d{4}),?\\s+)?(?:at\\s+)?)?`,
    "(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))?\\s*(?<half>[ap]\\.?m\\b)?",
    "(?:\\s*\\((?<zone>[A-Za-z_]+(?:/[A-Za-z_+-]+)*)\\))?",
  ].join(""),
  "gi",
);

const UNIT_MS: Readonly<Record<string, number>> = {
  d: DAY_MS,
  h: 60 * MINUTE_MS,
  m: MINUTE_MS,
  s: 1000,
};

/**
 * Reads `try again at 3:45 PM`, `resets Dec 5 at 3pm (Europe/Berlin)`, `in 2 hours 5 minutes`, seconds
 * since 1970 and ISO times.
 * @param timeZone IANA name of the zone that times of day without one are in.
 * @returns a time after `now`; `undefined` where the text names none.
 */
export function quotaReset(text: string, now: Date, timeZone: string): Date | undefined {
  const time =
    firstAhead(isoTimes(text), now) ??
    firstAhead(unixTimes(text), now) ??
    durationEnd(text, now) ??
    firstAhead(clockTimes(text, now, timeZone), now);
  return time === undefined ? undefined : new Date(time);
}

/** The first time that lies ahead: logs in the same text bear past ones. */
function firstAhead(times: readonly number[], now: Date): number | undefined {
  return times.find((time) => time > now.getTime() && time <= now.getTime() + HORIZON_MS);
}

function isoTimes(text: string): number[] {
  return [...text.matchAll(ISO_TIME)].map(([found]) => Date.parse(found.replace(" ", "T")));
}

function unixTimes(text: string): number[] {
  return [...text.matchAll(UNIX_TIME)].map(
    ([, seconds = "", milliseconds = "0"]) => Number(seconds) * 1000 + Number(milliseconds),
  );
}

function durationEnd(text: string, now: Date): number | undefined {
  const ms = namedDurationMs(text);
  return ms === undefined || ms > HORIZON_MS ? undefined : now.getTime() + ms;
}

/** A wait such as `in 2 hours 5 minutes` or `after 7 seconds` in milliseconds. */
export function namedDurationMs(text: string): number | undefined {
  const seconds = RESET_SECONDS.exec(text)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const duration = DURATION.exec(text)?.[1];
  if (duration === undefined) return undefined;
  return [...duration.matchAll(DURATION_PART)].reduce(
    (sum, [, amount, unit = ""]) =>
      sum + Number(amount) * (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0),
    0,
  );
}

function clockTimes(text: string, now: Date, timeZone: string): number[] {
  return [...text.matchAll(CLOCK_TIME)].flatMap(({ groups = {} }) => {
    const zone = knownZone(groups.zone) ?? knownZone(timeZone) ?? "UTC";
    const hour = hourOfDay(groups);
    if (hour === undefined) return [];
    return nextOccurrence(groups, hour, Number(groups.minute ?? 0), now, zone);
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A bare number is no time of day. */
function hourOfDay({ hour, minute, half }: Groups): number | undefined {
  const value = Number(hour);
  if (half === undefined) return minute === undefined || value > 23 ? undefined : value;
  if (value < 1 || value > 12) return undefined;
  return (value % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
}

/** A time of day without a date is the next one; one that has just passed names the minute we are in. */
function nextOccurrence(
  { month, day, year }: Groups,
  hour: number,
  minute: number,
  now: Date,
  zone: string,
): number[] {
  const today = wallTime(now.getTime(), zone);
  const start = {
    year: year === undefined ? today.year : Number(year),
    month: month === undefined ? today.month : MONTHS.indexOf(month.slice(0, 3).toLowerCase()),
    day: day === undefined ? today.day : Number(day),
  };
  const at = (offset: { years?: number; days?: number }) =>
    instant(
      start.year + (offset.years ?? 0),
      start.month,
      start.day + (offset.days ?? 0),
      hour,
      minute,
      zone,
    );
  const time = at({});
  const passedMs = now.getTime() - time;
  if (passedMs >= 0 && passedMs < 2 * MINUTE_MS) return [now.getTime() + MINUTE_MS];
  if (passedMs < 0 || year !== undefined) return [time];
  return [month === undefined ? at({ days: 1 }) : at({ years: 1 })];
}

function knownZone(name: string | undefined): string | undefined {
  if (name === undefined || name === "") return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface WallTime {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** The same reading of the clock, as if it were UTC. */
  readonly asUtcMs: number;
}

function wallTime(time: number, zone: string): WallTime {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [read("year"), read("month") - 1, read("day")];
  const asUtcMs = Date.UTC(year, month, day, read("hour"), read("minute"), read("second"));
  return { year, month, day, asUtcMs };
}

/** The moment at which a clock in `zone` reads this; the offset is looked up near that moment. */
function instant(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  zone: string,
): number {
  const asUtc = Date.UTC(year, month, day, hour, minute);
  const first = asUtc - (wallTime(asUtc, zone).asUtcMs - asUtc);
  return asUtc - (wallTime(first, zone).asUtcMs - first);
}
