import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonc } from "../../../src/lib/jsonc.ts";

test("parseJsonc() drops comments and trailing commas, and leaves strings alone (repo L1)", () => {
  const text = `\ufeff{
    // a comment with "quotes", and a comma,
    "glob": "**/*.ts", /* "x": 1, */
    "url": "https://x/y//z", // }
    "text": "a \\" // b ,] ,}",
    "list": [1, 2, /* end */ ],
    "deep": {"a": [[],],}, // last
  }`;
  expect(parseJsonc(text)).toEqual({
    glob: "**/*.ts",
    url: "https://x/y//z",
    text: 'a " // b ,] ,}',
    list: [1, 2],
    deep: { a: [[]] },
  });
});

test.each(["", "{", "[1 2]", "// only", '{"a": "b'])("parseJsonc(%p) is undefined", (text) => {
  expect(parseJsonc(text)).toBeUndefined();
});

test("parseJsonc() reads all JSON as JSON does, with comments between any two tokens", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.stringify(value);
      expect(parseJsonc(plain)).toEqual(JSON.parse(plain));
      const lines = JSON.stringify(value, null, 1).replaceAll("\n", ' // ",}]\n/* , */');
      expect(parseJsonc(lines)).toEqual(JSON.parse(plain));
    }),
  );
});
