import { expect, test } from "bun:test";
import { describeDifference } from "../../../src/lib/text-difference.ts";

test.each([
  ["audit auth", "audit billing", 'first difference at character 7 ("auth" → "billing")'],
  ["", "x", 'first difference at character 1 ("" → "x")'],
  ["one", "one more", 'first difference at character 4 ("" → " more")'],
  ["one more", "one", 'first difference at character 4 (" more" → "")'],
  ["a\nb", "a\tb", 'first difference at character 2 ("\\nb" → "\\tb")'],
  [
    `x${"a".repeat(24)}`,
    `x${"b".repeat(25)}`,
    `first difference at character 2 ("${"a".repeat(24)}" → "${"b".repeat(24)}…")`,
  ],
])("%j and %j", (before, after, text) => {
  expect(describeDifference(before, after)).toBe(text);
});

test("two characters that share their first half differ as whole characters", () => {
  expect(describeDifference("a😀", "a😁")).toBe('first difference at character 2 ("😀" → "😁")');
});

test("an excerpt does not end in half a character", () => {
  const before = `${"a".repeat(23)}😀😀`;
  expect(describeDifference(before, "b")).toContain(`("${"a".repeat(23)}…" →`);
});
