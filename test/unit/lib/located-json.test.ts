import { describe, expect, test } from "bun:test";
import { JsonFault, parseLocated, plainJson } from "../../../src/lib/located-json.ts";

function faultOf(text: string): { line: number; message: string } {
  try {
    parseLocated(text);
  } catch (error) {
    if (error instanceof JsonFault) return { line: error.line, message: error.message };
  }
  throw new Error(`no fault in ${text}`);
}

test.each([
  "null",
  ' {"a": [1, -2.5e3, "x\\u00e9\\n", true, false, null], "b": {}, "c": [], "__proto__": {"d": 1}} ',
  '"\\ud83d\\ude00 \\/"',
])("%s is read as JSON.parse reads it", (text) => {
  expect(plainJson(parseLocated(text))).toEqual(JSON.parse(text));
});

test("a member has the line of its name", () => {
  const root = parseLocated('\ufeff{\r\n"a":\n\n1,\n"b": [\n2]}');
  if (!(root.value instanceof Map)) throw new Error("no object");
  expect([...root.value].map(([name, { line }]) => [name, line])).toEqual([
    ["a", 2],
    ["b", 5],
  ]);
});

describe("a fault", () => {
  test.each([
    ["", 1, "expected a value, found the end of the file"],
    ["{\n\n]", 3, 'expected a name in quotes, found "]"'],
    ['{"a":1,}', 1, 'expected a name in quotes, found "}"'],
    ["[1,]", 1, 'expected a value, found "]"'],
    ['{"a" 1}', 1, 'expected :, found "1"'],
    ['{"a":1 "b":2}', 1, 'expected , or }, found "\\""'],
    ['{"a":1,\n"a":2}', 2, '"a" is there twice'],
    ["1\n2", 2, 'expected the end, found "2"'],
    ["// no", 1, 'expected a value, found "/"'],
    ['"a\nb"', 1, 'expected a value, found "\\""'],
    [`${"[".repeat(100_000)}`, 1, "nested deeper than 32"],
  ])("of %p is on its line", (text, line, message) => {
    expect(faultOf(text)).toEqual({ line, message });
  });
});
