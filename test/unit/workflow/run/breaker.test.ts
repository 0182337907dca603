import { expect, test } from "bun:test";
import { createBreaker } from "../../../../src/workflow/run/breaker.ts";
import { quotaWaitMs } from "../../../../src/workflow/run/quota-wait.ts";

/** Banners are ISO times here. */
function breaker() {
  return createBreaker((banner) => (banner === "" ? undefined : new Date(banner)));
}

test("a provider whose quota is used up is passed over", () => {
  const quotas = breaker();
  expect(quotas.choose(["codex", "claude"])).toBe("codex");
  quotas.open("codex", "");
  expect(quotas.choose(["codex", "claude"])).toBe("claude");
  expect(quotas.pause()).toBeUndefined();
  expect(quotas.signal.aborted).toBe(false);
});

test("the run pauses until the first of all providers of a call is back", () => {
  const quotas = breaker();
  quotas.open("codex", "2026-12-02T15:00:00Z");
  quotas.open("claude", "2026-12-02T14:00:00Z");
  quotas.open("other", "");
  expect(() => quotas.choose(["other", "codex", "claude"])).toThrow(
    'the quota of provider "claude" is used up, until 2026-12-02T14:00:00.000Z',
  );
  expect(quotas.pause()).toMatchObject({ provider: "claude" });
  expect(quotas.signal.aborted).toBe(true);
});

test("a quota is waited for until its time, a day at most, a quarter of an hour where it is unknown", () => {
  const now = Date.parse("2026-12-02T14:00:00Z");
  expect(quotaWaitMs("2026-12-02T14:00:30.000Z", now)).toBe(30_000);
  expect(quotaWaitMs("2026-12-02T13:00:00.000Z", now)).toBe(0);
  expect(quotaWaitMs("2026-12-09T14:00:00.000Z", now)).toBe(86_400_000);
  expect(quotaWaitMs(undefined, now)).toBe(900_000);
});
