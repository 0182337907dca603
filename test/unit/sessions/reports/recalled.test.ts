/** The label on what was recalled. */
import { expect, test } from "bun:test";
import { recalledFrom } from "../../../../src/sessions/reports/recalled.ts";

const FROM = { provider: "codex", machine: "laptop", session_id: "s", path: "/r.jsonl" };
const NOW = new Date("2026-12-03T10:00:00.000Z");

test.each([
  ["2026-12-03T09:59:58.500Z", 1],
  ["2026-12-03T10:00:05.000Z", 0],
  ["2026-12-01T10:00:00.000Z", 172_800],
  ["", null],
])("what was said at %p is %p seconds old", (at, age) => {
  expect(recalledFrom({ ...FROM, at }, NOW)).toEqual({
    from: FROM,
    age_seconds: age,
    trust: "untrusted_data",
  });
});
