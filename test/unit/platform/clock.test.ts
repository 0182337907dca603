import { expect, test } from "bun:test";
import { systemClock } from "../../../src/platform/clock.ts";

test("the time is UTC with three digits of milliseconds, and that of now()", () => {
  const clock = systemClock();
  const before = clock.now().getTime();
  const iso = clock.iso();
  expect(iso).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(iso)).toBeWithin(before, clock.now().getTime() + 1);
});

test("monotonic time does not go back", () => {
  const clock = systemClock();
  const readings = Array.from({ length: 1000 }, () => clock.monotonicMs());
  expect(readings.toSorted((a, b) => a - b)).toEqual(readings);
});
