import { expect, test } from "bun:test";
import { shortTime } from "../../../src/lib/short-time.ts";
import { shownText } from "../../../src/lib/shown-text.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["10%\r50%\r100%", "100%"],
  ["10%\r100%\r\r", "100%"],
  ["bell\u0007", "bell\\x07"],
  ["\u001b]0;title\u0007text", "text"],
  ["", ""],
])("a terminal shows of %j in the end %j", (line, text) => {
  expect(shownText(line)).toBe(text);
});

test.each([
  [-5, "0s"],
  [999, "0s"],
  [59_999, "59s"],
  [60_000, "1m 00s"],
  [125_000, "2m 05s"],
  [3_600_000, "1h 00m"],
  [90_000_000, "25h 00m"],
])("%p ms are %s", (ms, text) => {
  expect(shortTime(ms)).toBe(text);
});
