import { expect, test } from "bun:test";
import { writeArtifact } from "../../../../src/platform/sqlite/artifact.ts";
import { exchangeFor } from "../../../../src/repo/history/exchange.ts";
import type { Range } from "../../../../src/repo/history/range.ts";
import { INDEX_FORMAT } from "../../../../src/repo/history/schema.ts";
import { tempDir } from "../../../support/temp.ts";

interface Question {
  /** The commits that the index has, from the newest. */
  readonly has: readonly string[];
  readonly removed?: readonly string[];
  readonly added: readonly string[];
  readonly listed: readonly string[];
  readonly most?: number;
}

/** The answer, and how many commits of the new history were read for it. */
async function ask({ has, removed = [], added, listed, most = 100 }: Question) {
  await using dir = await tempDir();
  let read = 0;
  async function* list() {
    for (const hash of listed) {
      read += 1;
      yield hash;
    }
  }
  const range: Range = { from: "", hasMerges: true, removed, added, addedChanges: added };
  const artifact = { path: dir.join("index.sqlite"), format: INDEX_FORMAT, fromPresent: false };
  return await writeArtifact(artifact, async (tx) => {
    for (const [at, hash] of has.entries()) {
      tx.run(
        `INSERT INTO commits (id, hash, author_id, committed_at, subject, file_count, is_fix, weight)
           VALUES (?, ?, 1, 0, '', 0, 0, 0)`,
        at + 1,
        Buffer.from(hash, "hex"),
      );
    }
    const answer = await exchangeFor(tx, range, list, most);
    return { answer, read };
  });
}

test("newer commits make room for an older one; what is older still is not looked at", async () => {
  expect(
    await ask({
      has: ["c3", "c2", "c1", "c0"],
      added: ["a1"],
      listed: ["c3", "c2", "a1", "c1", "c0"],
    }),
  ).toEqual({ answer: { out: ["c3", "c2"], in: ["c3", "c2", "a1"] }, read: 3 });
});

test("what is newer than a commit that goes comes back, with what lies in between", async () => {
  expect(
    await ask({
      has: ["c4", "b3", "c2", "b1", "c0"],
      removed: ["b3", "b1"],
      added: ["a5"],
      listed: ["a5", "c4", "c2", "c0"],
    }),
  ).toEqual({ answer: { out: ["c4", "b3", "c2", "b1"], in: ["a5", "c4", "c2"] }, read: 3 });
});

test("commits that only go are no reason to list any", async () => {
  const answer = { out: ["b2", "b1"], in: [] };
  expect(
    await ask({ has: ["b2", "b1", "c0"], removed: ["b2", "b1"], added: [], listed: [] }),
  ).toEqual({ answer, read: 0 });
});

test.each<{ readonly what: string; readonly question: Question }>([
  {
    what: "lacks a commit of the history",
    question: { has: ["c1"], added: ["a1"], listed: ["c2", "a1", "c1"] },
  },
  {
    what: "would change in more than it is worth",
    question: { has: ["c2", "c1"], added: ["a1"], listed: ["c2", "c1", "a1"], most: 3 },
  },
  {
    what: "waits for a commit that is not listed",
    question: { has: ["c1"], added: ["a1"], listed: ["c1"] },
  },
])("an index that $what is built anew", async ({ question }) => {
  expect((await ask(question)).answer).toBeUndefined();
});
