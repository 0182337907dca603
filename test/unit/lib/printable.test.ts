import { expect, test } from "bun:test";
import { printable } from "../../../src/lib/printable.ts";

test("printable() writes control characters out and keeps tabs and line ends", () => {
  expect(printable("a\u001b[31mb\u0007\u009bc\rd")).toBe("a\\x1b[31mb\\x07\\x9bc\\x0dd");
  expect(printable("tab\tline\nend\r\nüñ☃")).toBe("tab\tline\nend\r\nüñ☃");
});
