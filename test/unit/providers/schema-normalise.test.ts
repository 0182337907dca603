import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/lib/json.ts";
import { correctedPrompt } from "../../../src/providers/correction.ts";
import { normaliseSchema, schemaText } from "../../../src/providers/schema-normalise.ts";

const OPEN: JsonObject = { type: "object", properties: { a: { type: "string" } } };
const CLOSED: JsonObject = { ...OPEN, additionalProperties: false };

describe("normaliseSchema closes", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["the root", OPEN, CLOSED],
    ["properties", { properties: { p: OPEN } }, { properties: { p: CLOSED } }],
    [
      "items in items",
      { type: "array", items: { type: "array", items: OPEN } },
      { type: "array", items: { type: "array", items: CLOSED } },
    ],
    ["tuples", { prefixItems: [OPEN] }, { prefixItems: [CLOSED] }],
    [
      "map values, but not the map",
      { type: "object", additionalProperties: OPEN },
      { type: "object", additionalProperties: CLOSED },
    ],
    [
      "plain alternatives",
      { anyOf: [OPEN, { type: "null" }] },
      { anyOf: [CLOSED, { type: "null" }] },
    ],
    [
      "definitions that stand alone",
      { type: "array", items: { $ref: "#/$defs/a" }, $defs: { a: OPEN } },
      { type: "array", items: { $ref: "#/$defs/a" }, $defs: { a: CLOSED } },
    ],
    [
      "objects inside of alternatives that stay open themselves",
      { type: "object", allOf: [{ type: "object", properties: { p: OPEN } }] },
      { type: "object", allOf: [{ type: "object", properties: { p: CLOSED } }] },
    ],
  ])("%s", (_name, schema, expected) => {
    expect(normaliseSchema(schema)).toEqual(expected);
  });
});

describe("normaliseSchema leaves alone", () => {
  test.each<[string, JsonObject]>([
    ["what says so itself", { ...OPEN, additionalProperties: true }],
    ["what is closed another way", { ...OPEN, unevaluatedProperties: false }],
    ["objects that are described in parts", { ...OPEN, allOf: [OPEN, { type: "object" }] }],
    ["alternatives beside properties", { ...OPEN, anyOf: [OPEN, { type: "object" }] }],
    ["conditions", { ...OPEN, if: OPEN, ["then" as string]: OPEN, else: OPEN }],
    ["negations", { not: OPEN }],
    ["dependent schemas", { ...OPEN, dependentSchemas: { a: OPEN } }],
    [
      "definitions that others extend",
      { allOf: [{ $ref: "#/$defs/a~1b" }, OPEN], $defs: { "a/b": OPEN } },
    ],
    ["a reference with company", { ...OPEN, $ref: "#/$defs/a", $defs: { a: OPEN } }],
    [
      "data that looks like a schema",
      { enum: [OPEN], default: OPEN, const: OPEN, examples: [OPEN] },
    ],
    ["type unions", { type: ["object", "null"], required: ["x"] }],
    ["objects without a type", { properties: { a: { type: "string" } } }],
  ])("%s", (_name, schema) => {
    expect(normaliseSchema(schema)).toEqual(schema);
  });
});

test("a property called like a keyword is a property", () => {
  const schema = { type: "object", properties: { items: OPEN, __proto__x: OPEN, anyOf: OPEN } };
  expect(normaliseSchema(schema)).toEqual({
    type: "object",
    properties: { items: CLOSED, __proto__x: CLOSED, anyOf: CLOSED },
    additionalProperties: false,
  });
});

test("__proto__ stays a property of its own", () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object"}}}');
  expect(JSON.stringify(normaliseSchema(schema))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"object","additionalProperties":false}},"additionalProperties":false}',
  );
});

test("the given schema is not changed, and normalising twice changes nothing", () => {
  const schema = structuredClone(OPEN);
  const once = normaliseSchema(schema);
  expect(schema).toEqual(OPEN);
  expect(normaliseSchema(once)).toEqual(once);
});

test("a schema nested without end is refused", () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 50_000; depth += 1) schema = { items: schema };
  expect(() => normaliseSchema(schema)).toThrow("nested deeper than 100");
});

test("schemaText keeps the author's order", () => {
  expect(schemaText({ type: "object", a: 1 })).toBe('{\n  "type": "object",\n  "a": 1\n}');
});

test("a corrected prompt holds the prompt, the error and the schema", () => {
  const text = correctedPrompt("Do it.", "$.a expected string", CLOSED);
  expect(text).toStartWith("Do it.\n\n");
  expect(text).toContain("failed schema validation: $.a expected string");
  expect(text).toContain("Respond with ONLY a single JSON object");
  expect(text).toEndWith(schemaText(CLOSED));
  expect(correctedPrompt("p", "e", { type: "array" })).toContain("a single JSON value");
});
