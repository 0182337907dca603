import { describe, expect, test } from "bun:test";
import { openSchedule } from "../../../../src/workflow/triggers/schedule.ts";

const at = (text: string) => new Date(text);
const cron = (text: string, timeZone: string) => openSchedule({ kind: "cron", text, timeZone });
const every = (text: string) => openSchedule({ kind: "interval", text, timeZone: "UTC" });

describe("a pattern in a time zone", () => {
  test("keeps the hour of the day when summer time begins and ends", async () => {
    const nine = await cron("0 9 * * *", "Europe/Berlin");
    const first = (text: string) => nine.first(at(text)).toISOString();
    expect(first("2026-03-28T00:00:00Z")).toBe("2026-03-28T08:00:00.000Z");
    expect(first("2026-03-29T00:00:00Z")).toBe("2026-03-29T07:00:00.000Z");
    expect(first("2026-10-24T00:00:00Z")).toBe("2026-10-24T07:00:00.000Z");
    expect(first("2026-10-25T00:00:00Z")).toBe("2026-10-25T08:00:00.000Z");
  });

  test("is due once on the day that has an hour twice", async () => {
    const half = await cron("30 2 * * *", "Europe/Berlin");
    const due = half.first(at("2026-10-24T12:00:00Z"));
    const { missed, next } = half.pass(due, at("2026-10-25T12:00:00Z"));
    expect(missed).toBe(0);
    expect(next.toISOString()).toBe("2026-10-26T01:30:00.000Z");
  });

  test("is due once, and no day later, on the day that lacks its hour", async () => {
    const half = await cron("30 2 * * *", "Europe/Berlin");
    const due = half.first(at("2026-03-28T12:00:00Z"));
    expect(due.toISOString().slice(0, 10)).toBe("2026-03-29");
    expect(half.pass(due, due).next.toISOString()).toBe("2026-03-30T00:30:00.000Z");
  });

  test("skips the weekend that it leaves out", async () => {
    const workdays = await cron("0 9 * * 1-5", "Europe/Berlin");
    const friday = at("2026-12-04T08:00:00Z");
    expect(workdays.pass(friday, friday)).toEqual({ missed: 0, next: at("2026-12-07T08:00:00Z") });
  });

  test("counts what was missed, up to a bound, and goes on after now", async () => {
    const minutes = await cron("* * * * *", "UTC");
    const due = at("2026-12-01T00:00:00Z");
    expect(minutes.pass(due, at("2026-12-01T00:03:30Z"))).toEqual({
      missed: 3,
      next: at("2026-12-01T00:04:00Z"),
    });
    expect(minutes.pass(due, at("2026-12-31T00:00:30Z"))).toEqual({
      missed: 1000,
      next: at("2026-12-31T00:01:00Z"),
    });
  });

  test.each(["", "x", "0 9 * *", "0 0 9 * * 1", "61 * * * *", "0 0 30 2 *"])(
    "%p is refused",
    async (pattern) => {
      await expect(cron(pattern, "UTC")).rejects.toMatchObject({ code: "usage" });
    },
  );

  test("in a zone that nobody knows is refused", async () => {
    await expect(cron("* * * * *", "Europe/Berln")).rejects.toMatchObject({
      message: 'unknown time zone "Europe/Berln"',
    });
  });
});

describe("an interval", () => {
  test("keeps its beat, whenever it is looked at", async () => {
    const quarter = await every("15m");
    const due = quarter.first(at("2026-12-01T00:00:00Z"));
    expect(due).toEqual(at("2026-12-01T00:15:00Z"));
    expect(quarter.pass(due, at("2026-12-01T00:15:00Z"))).toEqual({
      missed: 0,
      next: at("2026-12-01T00:30:00Z"),
    });
    expect(quarter.pass(due, at("2026-12-01T01:05:00Z"))).toEqual({
      missed: 3,
      next: at("2026-12-01T01:15:00Z"),
    });
  });

  test.each(["", "15", "0s", "0.2s", "-1m", "soon"])("%p is refused", async (text) => {
    await expect(every(text)).rejects.toMatchObject({ code: "usage" });
  });
});
