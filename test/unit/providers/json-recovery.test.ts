import { expect, test } from "bun:test";
import { assert, jsonValue, property, record, string } from "fast-check";
import { recoverJson } from "../../../src/providers/json-recovery.ts";

test.each([
  ['  {"a":1} ', '{"a":1}'],
  ["42", "42"],
  ['```json\n{"a":1}\n```', '{"a":1}'],
  ["```\n[1]\n```", "[1]"],
  ['Sure!\n```json\n{"a":1}\n```\nDone.', '{"a":1}'],
  ['Here is [the JSON]: {"ok":true}', '{"ok":true}'],
  ['{not json} then {"a":"}{"} end', '{"a":"}{"}'],
  ['{"a":"\\"}"} tail', '{"a":"\\"}"}'],
  ["open { never closed, but [1,2] is", "[1,2]"],
  ['{"broken": {"a":1}', '{"a":1}'],
  ["nothing", "nothing"],
  ["", ""],
])("recoverJson(%j) is %j", (text, expected) => {
  expect(recoverJson(text)).toBe(expected);
});

test("an object between any words without brackets is found as it was", async () => {
  const words = string().map((text) => text.replace(/[[\]{}"`]/g, ""));
  await assert(
    property(words, record({ value: jsonValue() }), words, (before, value, after) => {
      const json = JSON.stringify(value);
      expect(JSON.parse(recoverJson(`${before}x ${json} x${after}`))).toEqual(JSON.parse(json));
    }),
  );
});

test("a text of nothing but brackets ends in time", () => {
  const text = "[".repeat(1_000_000);
  expect(recoverJson(text)).toBe(text);
});
