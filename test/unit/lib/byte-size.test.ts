import { expect, test } from "bun:test";
import { parseByteSize } from "../../../src/lib/byte-size.ts";

test.each([
  ["0", 0],
  ["4096", 4096],
  ["1k", 1024],
  ["500M", 500 * 1024 ** 2],
  ["1.5G", 1.5 * 1024 ** 3],
  ["20 GiB", 20 * 1024 ** 3],
  ["2tb", 2 * 1024 ** 4],
])("parseByteSize() takes %p", (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each(["", " ", "x", "-1", "1.", "5X", "1e3", "99999999999T"])(
  "parseByteSize() refuses %p",
  (text) => {
    expect(parseByteSize(text)).toBeUndefined();
  },
);
