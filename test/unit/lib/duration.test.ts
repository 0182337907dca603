import { expect, test } from "bun:test";
import { formatDuration, parseDuration } from "../../../src/lib/duration.ts";

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

test.each([
  [0, "0ms"],
  [40, "40ms"],
  [999.6, "1.0s"],
  [1440, "1.4s"],
  [9960, "10s"],
  [59_600, "1m"],
  [125_000, "2m5s"],
  [3_599_600, "1h"],
  [3_720_000, "1h2m"],
  [86_399_000, "1d"],
  [273_600_000, "3d4h"],
])("%d ms are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
