import { expect, test } from "bun:test";
import { array, assert, integer, property } from "fast-check";
import { type Clock, systemClock } from "../../../src/platform/clock.ts";
import { createIds } from "../../../src/platform/ids.ts";

const LAST_TIME = Date.UTC(9999, 11, 31);

/** A clock that says these times, one after the other. */
function clockOf(times: readonly number[]): Clock {
  const rest = [...times];
  return { ...systemClock(), now: () => new Date(rest.shift() ?? 0) };
}

test("ids sort as text in the order in which they were made, whatever the clock does", async () => {
  const times = array(integer({ min: 0, max: LAST_TIME }), { minLength: 2, maxLength: 50 });
  await assert(
    property(times, (moments) => {
      const ids = createIds(clockOf(moments));
      const made = moments.map(() => ids.next("run"));
      expect(new Set(made).size).toBe(made.length);
      expect(made.toSorted()).toEqual(made);
    }),
  );
});

test("ids made in one millisecond still sort", () => {
  const times = Array(10_000).fill(Date.UTC(2026, 0, 1));
  const ids = createIds(clockOf(times));
  const made = times.map(() => ids.next("call"));
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
});

test("ids of different processes sort by the millisecond in which they were made", async () => {
  const moments = property(integer({ min: 0, max: LAST_TIME - 1 }), (moment) => {
    const earlier = createIds(clockOf([moment])).next("run");
    const later = createIds(clockOf([moment + 1])).next("run");
    expect(earlier < later).toBe(true);
  });
  await assert(moments);
});

test("ids of one millisecond differ between processes", () => {
  const made = Array.from({ length: 1000 }, () => createIds(clockOf([0])).next("run"));
  expect(new Set(made).size).toBe(made.length);
});

test("an id is its prefix and 22 lower-case digits of Crockford's base 32", () => {
  expect(createIds(systemClock()).next("run")).toMatch(/^run-[0-9a-hjkmnp-tv-z]{22}$/);
});
