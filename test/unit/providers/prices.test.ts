import { expect, test } from "bun:test";
import { createPrices } from "../../../src/providers/prices.ts";

const USAGE = {
  inputTokens: 2_000_000,
  cachedInputTokens: 1_000_000,
  outputTokens: 1_000_000,
  raw: "",
};

test("the longest name that fits counts; cached tokens have their own price", () => {
  const prices = createPrices(undefined);
  expect(prices.cost("gpt-5-codex", USAGE)).toBe(11_375_000);
  expect(prices.cost("gpt-5-mini-2025-08-07", USAGE)).toBe(2_275_000);
  expect(prices.cost("unheard-of", USAGE)).toBeUndefined();
  expect(prices.cost("", USAGE)).toBeUndefined();
  expect(prices.cost("gpt-5", { raw: "" })).toBeUndefined();
});

test("given prices replace those of the table", () => {
  const prices = createPrices('{"gpt-5-codex":{"input":1,"output":2}}');
  expect(prices.cost("gpt-5-codex", USAGE)).toBe(4_000_000);
  expect(prices.cost("gpt-5", USAGE)).toBe(11_375_000);
});

test.each(["[]", "no", '{"m":{"input":1}}', '{"m":{"input":-1,"output":1}}'])(
  "%s is refused",
  (text) => {
    expect(() => createPrices(text)).toThrow("PALLIUM_WORKFLOW_PRICES is invalid");
  },
);
