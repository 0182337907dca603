import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearMatch } from "../../../src/lib/near-match.ts";

const FLAGS = ["json", "max-agents", "max-budget-usd", "quiet", "help"];

test.each([
  ["jsn", "json"],
  ["josn", "json"],
  ["JSON", "json"],
  ["maxAgents", "max-agents"],
  ["max_budget_usd", "max-budget-usd"],
  ["max-b", "max-budget-usd"],
  ["qiet", "quiet"],
])("nearMatch(%p) finds %p", (name, expected) => {
  expect(nearMatch(name, FLAGS)).toBe(expected);
});

test.each(["", "-", "x", "colour", "j"])("nearMatch() finds nothing near %p", (name) => {
  expect(nearMatch(name, FLAGS)).toBeUndefined();
});

test("nearMatch() does not compare what is too long to be a name", () => {
  expect(nearMatch("j".repeat(10_000_000), ["j".repeat(10_000_000)])).toBeUndefined();
});

test("nearMatch() forgives any one slip in a name of four letters and more", () => {
  const word = fc.stringMatching(/^[a-z]{4,20}$/);
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom("drop", "double", "replace"), (name, at, slip) => {
      const index = at % name.length;
      const middle = { drop: "", double: name.slice(index, index + 1).repeat(2), replace: "_x" };
      const typed = name.slice(0, index) + middle[slip] + name.slice(index + 1);
      expect(nearMatch(typed, [name])).toBe(name);
    }),
  );
});
