import { expect, test } from "bun:test";
import { parseDuration } from "../../../src/lib/duration.ts";

test.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1.5h", 5_400_000],
  [" 2D ", 172_800_000],
  ["1h30m", 5_400_000],
  ["366d", 31_622_400_000],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "0m", "10", "soon", "1h 30m", "-1h", "367d", "h", "1e3s"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
