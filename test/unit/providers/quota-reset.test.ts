import { describe, expect, test } from "bun:test";
import { quotaReset } from "../../../src/providers/quota-reset.ts";

/** Wednesday, 14:00 in Berlin, 08:00 in New York. */
const NOW = new Date("2026-12-02T13:00:00.000Z");

describe("the reset time of a quota banner", () => {
  const cases: readonly [string, string | undefined][] = [
    ["You've hit your usage limit. Upgrade to Pro or try again at 3:45 PM.", "2026-12-02T15:45"],
    ["You've hit your usage limit. Try again at 9:12 AM.", "2026-12-03T09:12"],
    ["try again at Dec 5th, 2026 9:12 AM.", "2026-12-05T09:12"],
    ["try again in 2 hours 5 minutes.", "2026-12-02T15:05"],
    ["Try again in 3 days, 4 hours and 1 minute", "2026-12-05T17:01"],
    ["resets in 1h30m", "2026-12-02T14:30"],
    ["5-hour limit reached ∙ resets 3pm", "2026-12-02T15:00"],
    ["You’ve hit your limit · resets 3pm (Europe/Berlin)", "2026-12-02T14:00"],
    ["You’ve hit your limit · resets 12am (America/New_York)", "2026-12-03T05:00"],
    ["Weekly limit reached ∙ resets Dec 5 at 3pm", "2026-12-05T15:00"],
    ["resets Jan 2, 1:30am", "2027-01-02T01:30"],
    ["resets at 15:45", "2026-12-02T15:45"],
    ["Claude AI usage limit reached|1796220000", "2026-12-02T14:00"],
    ['{"resets_at":1796220000123}', "2026-12-02T14:00"],
    ['{"resets_in_seconds":600}', "2026-12-02T13:10"],
    ["quota exceeded, resets at 2026-12-02T14:30:00Z", "2026-12-02T14:30"],
    ["quota exceeded, resets at 2026-12-02T16:30:00+02:00", "2026-12-02T14:30"],
    ["2026-12-02T12:59:59Z ERROR usage limit, try again at 2:00 PM", "2026-12-02T14:00"],
    ["You've hit your usage limit.", undefined],
    ["usage limit reached; build finished in 3 seconds", undefined],
    ["quota exceeded at 5 places, request 1111111111", undefined],
    ["resets 25:10", undefined],
    ["resets at 2020-01-01T00:00:00Z", undefined],
  ];
  test.each(cases)("%s", (text, expected) => {
    expect(quotaReset(text, NOW, "UTC")?.toISOString().slice(0, 16)).toBe(expected as string);
  });

  test("is read in the user's zone, across a change of its clocks", () => {
    const evening = new Date("2026-10-24T20:00:00Z");
    expect(quotaReset("try again at 8:00 AM", evening, "Europe/Berlin")?.toISOString()).toBe(
      "2026-10-25T07:00:00.000Z",
    );
  });

  test("of the minute we are in is a minute ahead, not tomorrow", () => {
    const now = new Date("2026-12-02T13:00:40Z");
    expect(quotaReset("try again at 1:00 PM", now, "UTC")?.toISOString()).toBe(
      "2026-12-02T13:01:40.000Z",
    );
  });

  test("in an unknown zone is read as UTC", () => {
    expect(quotaReset("try again at 2:00 PM", NOW, "Nowhere/Land")?.toISOString()).toBe(
      "2026-12-02T14:00:00.000Z",
    );
  });
});
