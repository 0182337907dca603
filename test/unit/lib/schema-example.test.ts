import { afterAll, describe, expect, test } from "bun:test";
import { workerEntry } from "../../../src/app/assets.ts";
import type { Json, JsonObject } from "../../../src/lib/json.ts";
import { exampleOf } from "../../../src/lib/schema-example.ts";
import { createSchemaValidator } from "../../../src/workflow/engine/schema-host.ts";

const OPTIONS = { word: "text", items: 1 };
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});

const CASES: readonly (readonly [JsonObject, Json])[] = [
  [object({ a: { type: "string" }, b: { type: "integer" } }, "a"), { a: "text" }],
  [object({ a: { type: ["null", "boolean"] } }, "a"), { a: true }],
  [{ type: "array", items: { type: "number" } }, [0]],
  [
    { type: "array", items: { type: "string" }, minItems: 2, uniqueItems: true },
    ["text", "text 2"],
  ],
  [{ type: "array", items: { type: "string" }, maxItems: 0 }, []],
  [{ prefixItems: [{ type: "string" }, { const: 4 }], items: false }, ["text", 4]],
  [{ enum: ["high", "low"] }, "high"],
  [{ type: "integer", minimum: 3 }, 3],
  [{ type: "integer", exclusiveMinimum: 3, multipleOf: 5 }, 5],
  [{ type: "number", maximum: -1 }, -1],
  [{ type: "string", minLength: 6 }, "text.."],
  [{ type: "string", maxLength: 2 }, "te"],
  [{ type: "string", format: "date-time" }, "1970-01-01T00:00:00.000Z"],
  [{ anyOf: [{ type: "null" }, { type: "string" }] }, null],
  [
    { allOf: [object({ a: { type: "string" } }, "a"), object({ b: { type: "null" } }, "b")] },
    { a: "text", b: null },
  ],
  [{ $ref: "#/$defs/one~1two", $defs: { "one/two": object({ n: { const: 7 } }, "n") } }, { n: 7 }],
  [{ properties: { a: { type: "string" } }, required: ["a"] }, { a: "text" }],
  [{}, "text"],
];

describe("an example of a schema", () => {
  const validator = createSchemaValidator(workerEntry("schema"));
  afterAll(() => validator.close());

  for (const [schema, wanted] of CASES) {
    test(JSON.stringify(schema), async () => {
      const example = exampleOf(schema, OPTIONS);
      expect(example).toEqual(wanted);
      expect((await validator.check(schema, JSON.stringify(example))).ok).toBe(true);
    });
  }

  test("ends where a schema refers to itself", () => {
    const tree = object(
      { next: { $ref: "#" }, all: { type: "array", items: { $ref: "#" } } },
      "next",
      "all",
    );
    expect(JSON.stringify(exampleOf(tree, OPTIONS)).length).toBeLessThan(1_000_000);
    expect(exampleOf({ $ref: "#" }, OPTIONS)).toBe("text");
    expect(exampleOf({ $ref: "https://example.com/" }, OPTIONS)).toBe("text");
  });
});
