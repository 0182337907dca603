/** Whatever stands in the place of anything that a record holds, the transcript is stored, and nothing throws. */
import { expect, test } from "bun:test";
import { isRecord } from "../../src/lib/json.ts";
import type { TranscriptProvider } from "../../src/sessions/transcripts/types.ts";
import { fixtureRecords } from "../support/transcripts/fixtures.ts";
import { testIndex } from "../support/transcripts/index.ts";

const NAMES = ["session", "fork", "helped", "helper"] as const;
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e18, 1e300, "", " ", "\0", "\ud800", "9".repeat(30)],
  ...["constructor", "__proto__", "Exit code 99999999999999999999\n", "*** Add File: \n"],
  ...[[], {}, [null], [[]], { text: 5 }, { toString: 1 }, [{ type: "text" }, { type: "text" }]],
];

/** The value once for each thing in it, with `put` in the place of that. */
function* variants(value: unknown, put: unknown): Generator<unknown> {
  yield put;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of variants(item, put)) yield value.with(at, other);
    }
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      for (const other of variants(item, put)) yield { ...value, [key]: other };
    }
  }
}

const PROVIDERS: readonly TranscriptProvider[] = ["codex", "claude"];

test.each(
  PROVIDERS.flatMap((provider) =>
    VALUES.map((put) => [provider, JSON.stringify(put), put] as const),
  ),
)(
  "records of %s with %s somewhere",
  async (provider, _named, put) => {
    await using index = await testIndex();
    for (const name of NAMES) {
      const odd = fixtureRecords(provider, name).flatMap((record) => [...variants(record, put)]);
      const folder = provider === "codex" ? "codex/sessions/rollout-" : "claude/projects/p/";
      const lines = odd.map((record) => `${JSON.stringify(record)}\n`);
      await index.write(`${folder}${name}.jsonl`, lines.join(""));
    }
    const { indexed, duplicates, problems } = await index.index();
    expect({ read: indexed + duplicates, problems }).toEqual({ read: NAMES.length, problems: [] });
    expect(index.database.all("PRAGMA foreign_key_check")).toEqual([]);
  },
  20_000,
);
