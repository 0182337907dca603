import { describe, expect, test } from "bun:test";
import { pauseMs, retryWaitMs } from "../../../../src/sessions/embeddings/retry.ts";

const NOW = new Date("2026-12-03T12:00:00.000Z");

function wait(refusal: { retryAfter?: string; text?: string }, random = 0): number | undefined {
  return retryWaitMs(0, { retryAfter: "", text: "", ...refusal }, NOW, random);
}

describe("the wait before a busy model is asked again", () => {
  test("without hints is 1, 2, 4, 8, 16, 30, 30 s (computed oracle of retries)", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map(pauseMs)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(wait({})).toBe(1000);
  });

  test.each([
    [{ retryAfter: "7" }, 7000],
    [{ retryAfter: "0.5" }, 500],
    [{ retryAfter: "Thu, 03 Dec 2026 12:00:09 GMT" }, 9000],
    [{ retryAfter: "Thu, 03 Dec 2026 11:00:00 GMT" }, 1000],
    [{ retryAfter: "0", text: "Please try again in 250ms." }, 250],
    [{ text: "rate limit reached; try again in 1.5s, please" }, 1500],
    [{ retryAfter: "-3" }, 1000],
    [{ retryAfter: "soon", text: "try again in a while" }, 1000],
  ])("of %j is %d ms", (refusal, ms) => {
    expect(wait(refusal)).toBe(ms);
  });

  test("weakness 22 of sessions: has an end, and some chance in it", () => {
    expect(wait({ retryAfter: "86400" })).toBeUndefined();
    expect(wait({ retryAfter: "1e999" })).toBeUndefined();
    expect(wait({ text: "try again in 900s" })).toBeUndefined();
    expect(wait({ retryAfter: "4" }, 0.999)).toBe(4999);
  });
});
