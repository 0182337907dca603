/** Times of a command line. */
import { expect, test } from "bun:test";
import { durationMs, momentSince } from "../../../src/sessions/times.ts";

const NOW = new Date("2026-12-04T12:00:00.000Z");

test.each([
  ["2026-12-01", "2026-12-01T00:00:00.000Z"],
  [" 2026-12-01 ", "2026-12-01T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2026-12-01T10:00Z", "2026-12-01T10:00:00.000Z"],
  ["2026-12-01 10:00:30+02:00", "2026-12-01T08:00:30.000Z"],
  ["7d", "2026-11-27T12:00:00.000Z"],
  ["1h30m", "2026-12-04T10:30:00.000Z"],
])("%p is %s", (text, moment) => {
  expect(momentSince(text, NOW)).toBe(moment);
});

test("a time without an offset is of this computer", () => {
  expect(momentSince("2026-12-01 10:00", NOW)).toBe(new Date(2026, 11, 1, 10).toISOString());
});

// A date that is taken for another one answers a question that nobody asked.
test.each([
  "",
  "7",
  "20261201",
  "foo 1",
  "12/01/2026",
  "2026-12",
  "2026-02-29",
  "2026-13-01",
  "2026-12-00",
  "2026-12-01T25:00Z",
  "10000-01-01",
  "+010000-01-01",
  "yesterday",
  "0s",
  "9999999d",
])("%p is no time", (text) => {
  expect(() => momentSince(text, NOW, "older-than")).toThrow(`invalid --older-than "${text}"`);
});

test("none at all is a duration too", () => {
  expect([durationMs("safety-buffer", "0s"), durationMs("safety-buffer", "90s")]).toEqual([
    0, 90_000,
  ]);
  expect(() => durationMs("safety-buffer", "1w")).toThrow('invalid --safety-buffer duration "1w"');
});
