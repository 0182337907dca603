import { describe, expect, test } from "bun:test";
import { formatDollars, parseDollars } from "../../../../src/lib/money.ts";
import { agentEstimate, createBudget, parseBudget } from "../../../../src/workflow/run/budget.ts";

describe("parseDollars()", () => {
  test.each([
    ["1", 1_000_000],
    ["0.01", 10_000],
    [".5", 500_000],
    ["2.", 2_000_000],
    ["0", 0],
    ["0.0000001", 1],
    [" 1.5 ", 1_500_000],
  ])("reads %p", (text, micros) => expect(parseDollars(text)).toBe(micros));

  test.each(["", ".", "abc", "-1", "1e3", "NaN", "1,5", "$1", "0x10"])("refuses %p", (text) =>
    expect(parseDollars(text)).toBeUndefined(),
  );
});

describe("createBudget()", () => {
  test("six agents of 0.01 fit into 0.06, a seventh does not (C12)", () => {
    const budget = createBudget(parseDollars("0.06"), 0, 10_000);
    for (let agent = 0; agent < 6; agent += 1) budget.reserve().settle();
    expect(() => budget.reserve()).toThrow(
      "workflow budget exhausted: next agent would exceed $0.0600 limit",
    );
  });

  test("reservations of calls in flight count", () => {
    const budget = createBudget(20_000, 0, 10_000);
    budget.reserve();
    const second = budget.reserve();
    expect(() => budget.reserve()).toThrow("budget exhausted");
    second.cancel();
    expect(() => budget.reserve()).not.toThrow();
  });

  test("a reported cost replaces the estimate, once", () => {
    const budget = createBudget(1_000_000, 0, 10_000);
    const call = budget.reserve();
    call.settle(250_000);
    call.settle(250_000);
    expect(budget.view()).toEqual({ total: 1, spent: 0.25 });
  });

  test("0 allows nothing, absent allows everything (C12)", () => {
    expect(() => createBudget(0, 0, 10_000).reserve()).toThrow("budget exhausted");
    expect(() => createBudget(0, 0, 0).reserve()).toThrow("budget exhausted");
    expect(() => createBudget(0, 5_000_000, "free").reserve()).not.toThrow();
    expect(() => createBudget(undefined, 5_000_000, 10_000).reserve()).not.toThrow();
  });

  test("what earlier executions spent counts", () => {
    expect(() => createBudget(15_000, 10_000, 10_000).reserve()).toThrow("budget exhausted");
  });

  test("the refusal ends the run, not one call", () => {
    try {
      createBudget(0, 0, 10_000).reserve();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "budget_exhausted", fatal: true });
    }
  });
});

describe("parseBudget()", () => {
  test("no text is no limit", () => expect(parseBudget(undefined)).toBeUndefined());
  test.each(["not-a-number", "-1", "NaN"])("refuses %p (oracle 32, C12)", (text) =>
    expect(() => parseBudget(text)).toThrow(`invalid max budget usd "${text}"`),
  );
});

describe("agentEstimate()", () => {
  test.each([
    ["0.25", 250_000],
    ["", 10_000],
    ["many", 10_000],
    ["-1", 10_000],
  ])("of %p", (text, micros) =>
    expect(agentEstimate({ PALLIUM_WORKFLOW_AGENT_COST_USD: text })).toBe(micros),
  );
});

test("formatDollars() has four decimals", () => expect(formatDollars(20_000)).toBe("$0.0200"));
