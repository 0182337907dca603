import { expect, test } from "bun:test";
import { assertId } from "../../../src/lib/valid-id.ts";

test.each(["a", "run-01.b_C", "9", "-", "a".repeat(120), "a.b.c"])("%s is a valid id", (id) => {
  expect(() => assertId(id)).not.toThrow();
});

test.each([
  ["", "id is required"],
  [" \t\n", "id is required"],
  ["a".repeat(121), "id is too long"],
  ["ä".repeat(61), "id is too long"],
  ["a/b", `id "a/b" contains invalid character '/'`],
  ["a b", `id "a b" contains invalid character ' '`],
  ["naïve", `id "naïve" contains invalid character 'ï'`],
  ["a😀", `id "a😀" contains invalid character '😀'`],
  ["../etc", `id "../etc" contains invalid character '/'`],
  ["a..b", "id cannot contain '..'"],
  [".", `id "." contains invalid character '.'`],
])("%j is refused", (id, message) => {
  const refusal = { code: "invalid_id", exitCode: 2, message };
  expect(() => assertId(id)).toThrow(expect.objectContaining(refusal));
});

test("the message names what the id is of", () => {
  expect(() => assertId("", "workflow name")).toThrow("workflow name is required");
});
