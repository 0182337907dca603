import { expect, test } from "bun:test";
import fc from "fast-check";
import { wrap } from "../../../src/lib/wrap.ts";

test("wrap() keeps every word in order and no line over the width but single words", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 5, max: 60 }), (text, width) => {
      const lines = wrap(text.join(" "), width);
      expect(lines.join(" ").trim()).toBe(text.join(" "));
      for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true);
    }),
  );
});
