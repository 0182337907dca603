import { expect, test } from "bun:test";
import { identifierParts } from "../../../../src/sessions/ingest/identifier-parts.ts";

test.each([
  ["parsePatch", "parse patch"],
  ["HTTPServer2XX", "http server2 xx"],
  ["see _fooBar and x.barBaz()", "foo bar baz"],
  ["9fooBar", "foo bar"],
  ["A1B2 aB", "a1 b2 a b"],
  ["word Word WORD snake_case kebab-case 9 Ab", ""],
  ["größeÄndern", ""],
])("the parts of %p are %p", (text, parts) => {
  expect(identifierParts(text)).toBe(parts);
});

test("data without blanks has no parts, and takes no longer than other text", () => {
  expect(identifierParts("a".repeat(4_000_000))).toBe("");
  expect(identifierParts("aB".repeat(2_000_000))).toBe("");
});
