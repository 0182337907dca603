/** Times that a question names. */
import { describe, expect, test } from "bun:test";
import { askedTimes, nearness } from "../../../../src/sessions/search/asked-times.ts";

/** A Thursday. */
const NOW = new Date("2026-12-03T10:00:00.000Z");
const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);

describe("a question", () => {
  test.each<[string, readonly string[]]>([
    ["what broke today", ["2026-12-03 2026-12-04"]],
    ["what broke yesterday?", ["2026-12-02 2026-12-03"]],
    ["this week", ["2026-11-30 2026-12-07"]],
    ["last week", ["2026-11-23 2026-11-30"]],
    ["this month", ["2026-12-01 2027-01-01"]],
    ["last month", ["2026-11-01 2026-12-01"]],
    ["last year", ["2025-01-01 2026-01-01"]],
    ["on Monday", ["2026-11-30 2026-12-01"]],
    ["on Thursday", ["2026-11-26 2026-11-27"]],
    ["two days ago", ["2026-12-01 2026-12-02"]],
    ["a week ago", ["2026-11-23 2026-11-30"]],
    ["3 months ago", ["2026-09-01 2026-10-01"]],
    ["two years ago", ["2024-01-01 2025-01-01"]],
    ["the winter 2023", ["2023-01-01 2024-01-01"]],
    ["in 2024, or during 2025", ["2024-01-01 2025-01-01", "2025-01-01 2026-01-01"]],
    ["in 2024 or last week", ["2026-11-23 2026-11-30"]],
    ["2026-11", ["2026-11-01 2026-12-01"]],
    ["2026-11-30", ["2026-11-30 2026-12-01"]],
    ["in May 2023", ["2023-05-01 2023-06-01"]],
    ["since Sept, 2023", ["2023-09-01 2023-10-01"]],
    ["on the 3rd of July 2023", ["2023-07-03 2023-07-04"]],
    ["on July 3, 2023", ["2023-07-03 2023-07-04"]],
    ["on the 3rd of July", ["any 07-03 07-04"]],
    ["in December", ["any 12-01 01-01"]],
    ["2026-13-01 and 2026-00-10", []],
    ["2026-12-00, 32 December", []],
    ["may I see the march of 300 days", []],
    ["on sundays, yesterdays", []],
  ])("%p means %j", (question, expected) => {
    const named = askedTimes(question, NOW).map(({ from, to, anyYear }) =>
      anyYear ? `any ${day(from).slice(5)} ${day(to).slice(5)}` : `${day(from)} ${day(to)}`,
    );
    expect(named).toEqual([...expected]);
  });

  test("without a present names no time that is told from it", () => {
    expect(askedTimes("yesterday, a week ago", undefined)).toEqual([]);
  });
});

describe("a moment", () => {
  const [from, to] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)];
  const near = (moment: number, anyYear = false) => nearness({ from, to, anyYear }, moment);

  test("is within a time from its first millisecond to before its last", () => {
    expect([near(from), near(to - 1)]).toEqual([1, 1]);
    expect([near(from - 1), near(to)].map((value) => value.toFixed(3))).toEqual(["0.400", "0.600"]);
  });

  test("is the nearer the less time lies between, and nearer after than before", () => {
    const days = (count: number) => count * 86_400_000;
    expect(near(to + days(1))).toBeGreaterThan(near(to + days(9)));
    expect(near(from - days(1))).toBeGreaterThan(near(from - days(9)));
    expect(near(to + days(4))).toBeGreaterThan(near(from - days(4)));
    expect(near(to + days(400))).toBeLessThan(0.001);
  });

  test("is within a time of every year in its own", () => {
    const [may] = askedTimes("in May", undefined);
    expect(may && nearness(may, Date.UTC(2023, 4, 31, 23))).toBe(1);
    expect(may && nearness(may, Date.UTC(2023, 5, 1))).toBe(0.6);
  });
});
