/** Times that a question names: `in May 2023`, `on 3 December`, `2026-11-30`, `last week`. */

const DAY_MS = 86_400_000;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "((?:19|20)\\d\\d)";
const ISO = /\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b/g;
const DAY_MONTH = new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b(?:,? ${YEAR}\\b)?`, "g");
const MONTH_DAY = new RegExp(`\\b${MONTH} ${DAY}\\b(?:,? ${YEAR}\\b)?`, "g");
const MONTH_YEAR = new RegExp(`\\b${MONTH},? ${YEAR}\\b`, "g");
const IN_MONTH = new RegExp(
  `\\b(?:in|of|during|since|by|until|early|late|mid|around|last|this) ${MONTH}\\b`,
  "g",
);
const IN_YEAR = new RegExp(
  `\\b(?:in|of|during|since|around|summer|winter|spring|fall|autumn) ${YEAR}\\b`,
  "g",
);
const AGO = /\b(a|an|one|two|three|four|\d{1,3}) (day|week|month|year)s? ago\b/g;
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
};

/** From its first millisecond to before its last, in UTC; without a year it is in every one. */
export interface AskedTime {
  readonly from: number;
  readonly to: number;
  readonly anyYear: boolean;
}

/** @param now without it, times that are told from today, such as `last week`, mean nothing. */
export function askedTimes(question: string, now: Date | undefined): readonly AskedTime[] {
  const text = question.toLowerCase();
  let left = text;
  // The month of a date that was told whole is no month of every year.
  const taken = (pattern: RegExp) => {
    const found = matches(left, pattern);
    left = left.replace(pattern, ";");
    return found;
  };
  const dates = [
    ...taken(ISO).map(([year, month, day]) => dated(year, Number(month) - 1, day)),
    ...taken(DAY_MONTH).map(([day, month, year]) => dated(year, monthOf(month), day)),
    ...taken(MONTH_DAY).map(([month, day, year]) => dated(year, monthOf(month), day)),
    ...taken(MONTH_YEAR).map(([month, year]) => dated(year, monthOf(month), undefined)),
    ...taken(IN_MONTH).map(([month]) => dated(undefined, monthOf(month), undefined)),
  ].filter((time) => time !== undefined);
  const relative = now === undefined ? [] : fromToday(text, now);
  if (dates.length + relative.length > 0) return [...dates, ...relative];
  return matches(text, IN_YEAR).map(([year]) =>
    span(Date.UTC(Number(year), 0), Date.UTC(Number(year) + 1, 0)),
  );
}

function matches(text: string, pattern: RegExp): readonly (readonly (string | undefined)[])[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1));
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? "").slice(0, 3));
}

const SOME_YEAR = 2000;

function dated(
  year: string | undefined,
  month: number,
  day: string | undefined,
): AskedTime | undefined {
  const of = year === undefined ? SOME_YEAR : Number(year);
  if (month < 0 || month > 11 || Number(day ?? 1) < 1 || Number(day ?? 1) > 31) return undefined;
  const from = Date.UTC(of, month, Number(day ?? 1));
  const to = day === undefined ? Date.UTC(of, month + 1) : from + DAY_MS;
  return { from, to, anyYear: year === undefined };
}

function span(from: number, to: number): AskedTime {
  return { from, to, anyYear: false };
}

function fromToday(text: string, now: Date): readonly AskedTime[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  const month = (offset: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset);
  const year = (offset: number) => Date.UTC(now.getUTCFullYear() + offset, 0);
  const named: Readonly<Record<string, AskedTime>> = {
    today: span(today, today + DAY_MS),
    yesterday: span(today - DAY_MS, today),
    "this week": span(monday, monday + 7 * DAY_MS),
    "last week": span(monday - 7 * DAY_MS, monday),
    "this month": span(month(0), month(1)),
    "last month": span(month(-1), month(0)),
    "last year": span(year(-1), year(0)),
  };
  for (const [at, day] of WEEKDAYS.entries()) {
    const back = (now.getUTCDay() - at + 7) % 7 || 7;
    const that = span(today - back * DAY_MS, today - (back - 1) * DAY_MS);
    Object.assign(named, { [`on ${day}`]: that, [`last ${day}`]: that });
  }
  const words = ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  const said = Object.entries(named).flatMap(([name, time]) =>
    words.includes(` ${name} `) ? [time] : [],
  );
  const ago = matches(text, AGO).map(([amount = "", unit]) => {
    const many = NUMBERS[amount] ?? Number(amount);
    if (unit === "day") return span(today - many * DAY_MS, today - (many - 1) * DAY_MS);
    if (unit === "week") return span(monday - many * 7 * DAY_MS, monday - (many - 1) * 7 * DAY_MS);
    return unit === "month"
      ? span(month(-many), month(1 - many))
      : span(year(-many), year(1 - many));
  });
  return [...said, ...ago];
}

/** What happened is told soon after, and seldom announced. */
const AFTER = { share: 0.6, days: 10 } as const;
const BEFORE = { share: 0.4, days: 4 } as const;

/** How near a moment is to a time: 1 within it, less before and after, down to 0. */
export function nearness(time: AskedTime, moment: number): number {
  const { from, to } = time.anyYear ? sameYear(time, moment) : time;
  if (moment >= from && moment < to) return 1;
  const { share, days } = moment >= to ? AFTER : BEFORE;
  const distance = moment >= to ? moment - to : from - moment;
  return share * Math.exp(-distance / (days * DAY_MS));
}

function sameYear(time: AskedTime, moment: number): { from: number; to: number } {
  const year = new Date(moment).getUTCFullYear();
  const moved = (at: number) => {
    const date = new Date(at);
    return date.setUTCFullYear(year + date.getUTCFullYear() - SOME_YEAR);
  };
  return { from: moved(time.from), to: moved(time.to) };
}
