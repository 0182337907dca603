import { expect, test } from "bun:test";
import { firstUid, nextUid, uidAt } from "../../../../src/sessions/transcripts/uids.ts";

/** So many characters tell where a uid stands in an index. */
const beginning = (uid: string) => uid.slice(0, 5);

test("what was said at one time begins alike, and what was said later comes behind it", () => {
  const [one, other, later, unknown] = [
    uidAt("2026-12-01T10:00:01.000Z", "one"),
    uidAt("2026-12-01T10:00:59.999Z", "other"),
    uidAt("2026-12-01T10:01:00.000Z", "one"),
    uidAt("", "one"),
  ] as const;
  expect(beginning(one)).toBe(beginning(other));
  expect(new Set([one, other, later, unknown]).size).toBe(4);
  expect([later, one, unknown, other].toSorted().at(-1)).toBe(later);
  expect([later, one, unknown, other].toSorted()[0]).toBe(unknown);
  expect(uidAt("2026-12-01T10:00:01.000Z", "one")).toBe(one);
});

test("a chain begins alike all along, and tells where it has been", () => {
  const chain = (...said: readonly string[]) => said.reduce(nextUid, firstUid("session"));
  expect(beginning(chain("a", "b"))).toBe(beginning(firstUid("session")));
  expect(beginning(firstUid("session"))).not.toBe(beginning(firstUid("another")));
  expect(chain("a", "b")).toBe(chain("a", "b"));
  const uids = [chain("a", "b"), chain("b"), chain("a", "a", "b"), chain("a\nb"), chain()];
  expect(new Set(uids).size).toBe(uids.length);
});
