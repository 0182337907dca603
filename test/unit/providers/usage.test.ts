import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mergeUsage, parseUsage, readUsageFile } from "../../../src/providers/usage.ts";
import { testFolder } from "../../support/provider-fixtures.ts";

describe("parseUsage", () => {
  test("keeps the text verbatim and counts money in micro-dollars", () => {
    const raw = '{ "cost_usd": 0.1000004, "output_tokens": 3, "extra": true }';
    expect(parseUsage(raw, "w")).toEqual({
      usage: { costMicros: 100_000, outputTokens: 3, raw },
      notes: [],
    });
  });

  test.each(["-1", '"0.5"', "1e300", "true", "[]"])("cost_usd %s is noted and ignored", (cost) => {
    const raw = `{"cost_usd":${cost},"input_tokens":1}`;
    expect(parseUsage(raw, "w")).toEqual({
      usage: { inputTokens: 1, raw },
      notes: ["w reported an invalid cost_usd; ignored"],
    });
  });

  test.each(["{", "[]", "null", "7"])("%s is no report", (raw) => {
    expect(parseUsage(raw, "w").usage).toBeUndefined();
    expect(parseUsage(raw, "w").notes).toHaveLength(1);
  });
});

test("a name of a conversation is taken up to a thousand characters", () => {
  const read = (length: number) => parseUsage(JSON.stringify({ session: "s".repeat(length) }), "w");
  expect(read(1000)).toMatchObject({ session: "s".repeat(1000), notes: [] });
  expect(read(1001)).not.toHaveProperty("session");
  expect(read(1001).notes).toEqual(["w reported an invalid session; ignored"]);
});

test("readUsageFile: missing and empty files say nothing, a huge one is not read", async () => {
  using folder = testFolder();
  expect(await readUsageFile(folder.join("none"), "w")).toEqual({ notes: [] });
  writeFileSync(folder.join("empty"), " \n");
  expect(await readUsageFile(folder.join("empty"), "w")).toEqual({ notes: [] });
  writeFileSync(folder.join("huge"), `{"x":"${"y".repeat(100_000)}"}`);
  expect((await readUsageFile(folder.join("huge"), "w")).notes).toHaveLength(1);
});

describe("mergeUsage", () => {
  const raw = '{"output_tokens":50,"input_tokens":100,"cost_usd":0.1}';
  const once = { inputTokens: 100, outputTokens: 50, costMicros: 100_000, raw };

  test("sums two attempts and sorts what it encodes anew", () => {
    expect(mergeUsage(once, once)).toEqual({
      inputTokens: 200,
      outputTokens: 100,
      costMicros: 200_000,
      raw: '{"cost_usd":0.2,"input_tokens":200,"output_tokens":100}',
    });
  });

  test("one attempt stays as it was", () => {
    expect(mergeUsage(once, undefined)).toBe(once);
    expect(mergeUsage(undefined, once)).toBe(once);
    expect(mergeUsage(undefined, undefined)).toBeUndefined();
  });

  test("what one attempt alone reported stays", () => {
    expect(
      mergeUsage({ raw: '{"model":"m"}' }, { costMicros: 5, raw: '{"cost_usd":0.000005}' }),
    ).toEqual({
      costMicros: 5,
      raw: '{"cost_usd":0.000005,"model":"m"}',
    });
  });
});
