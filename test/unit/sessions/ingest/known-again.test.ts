/** How a transcript is known again: as it was, grown, moved, or another one in its place. */
import { describe, expect, test } from "bun:test";
import { appendFile, link, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import { pruneSessions } from "../../../../src/sessions/keeping/prune.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const LONG_AGO = new Date(Date.now() - 600_000);
/** More than is looked at of either end of a transcript. */
const FILLER = "something else ".repeat(600);

const said = (text: string, sessionId = "s") =>
  `${JSON.stringify({
    type: "user",
    sessionId,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: text },
  })}\n`;
const place = (name: string) => `claude/projects/p/${name}.jsonl`;
const texts = ({ database }: TestIndex) =>
  database
    .all<{ text: string }>("SELECT text FROM messages ORDER BY session, line_no")
    .map(({ text }) => text.split(" ", 1)[0]);
const paths = ({ database }: TestIndex) =>
  database.all<{ path: string }>("SELECT path FROM sources").map(({ path }) => path);

async function grow(path: string, text: string): Promise<void> {
  await appendFile(path, text);
  await utimes(path, LONG_AGO, LONG_AGO);
}

describe("a transcript counts as written since", () => {
  test("when it is longer, though its time is the same", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await utimes(path, LONG_AGO, LONG_AGO);
    await index.index();
    await grow(path, said("two"));
    expect(await index.index()).toMatchObject({ indexed: 1, unchanged: 0 });
    expect(texts(index)).toEqual(["one", "two"]);
  });

  test("when it is another file of the same length and time", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await utimes(path, LONG_AGO, LONG_AGO);
    await index.index();
    const other = await index.write(place("b"), said("two"));
    await utimes(other, LONG_AGO, LONG_AGO);
    await rename(other, path);
    expect(await index.index()).toMatchObject({ indexed: 1, unchanged: 0 });
    expect(texts(index)).toEqual(["two"]);
  });
});

describe("a transcript that has grown is read anew", () => {
  test.each([
    ["beginning", 0],
    ["end", 2],
  ])("when what was its %s is another now", async (_end, changed) => {
    await using index = await testIndex();
    const before = ["first", "middle", "final"].map((word) => said(`${word} ${FILLER} ${word}`));
    const path = await index.write(place("a"), before.join(""));
    await index.index();
    const after = before.with(changed, said(`other ${FILLER} other`));
    await index.write(place("a"), after.join(""));
    await grow(path, said("more"));
    await index.index();
    expect(texts(index)).toEqual(
      ["first", "middle", "final"].with(changed, "other").concat("more"),
    );
  });

  test("when nothing of it was read", async () => {
    await using index = await testIndex();
    const path = await index.write(place("old"), "");
    await index.index();
    const renamed = join(path, "..", "new.jsonl");
    await rename(path, renamed);
    await grow(renamed, '{"type":"summary","summary":"about"}\n');
    await index.index();
    const named = index.database.all("SELECT id FROM sessions WHERE title = 'about'");
    expect(named).toEqual([{ id: "new" }]);
  });
});

describe("where a transcript is", () => {
  test("is on record once, after it was moved and went on", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await index.index();
    const moved = join(path, "..", "b.jsonl");
    await rename(path, moved);
    expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(paths(index)).toEqual([moved]);
    const again = join(path, "..", "c.jsonl");
    await rename(moved, again);
    await grow(again, said("two"));
    expect(await index.index()).toMatchObject({ indexed: 1, bytes: said("two").length });
    expect(paths(index)).toEqual([again]);
    expect(texts(index)).toEqual(["one", "two"]);
  });

  test("is on record once, after it was copied elsewhere and is gone", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await index.index();
    await rm(path);
    const copy = await index.write("claude/projects/elsewhere/a.jsonl", said("one"));
    expect(await index.index()).toMatchObject({ indexed: 1 });
    expect(paths(index)).toEqual([copy]);
  });

  test("stays when another name leads to it", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await index.index();
    await link(path, join(path, "..", "b.jsonl"));
    for (let time = 0; time < 2; time += 1) {
      expect(await index.index()).toMatchObject({ unchanged: 1, duplicates: 1 });
      expect(paths(index)).toEqual([path]);
    }
  });
});

test("bytes and malformed lines are counted once, however many pieces and indexes they come in", async () => {
  await using index = await testIndex();
  const long = said(`much ${FILLER}`.repeat(30));
  const text = `torn\n${long.repeat(12)}`;
  const path = await index.write(place("a"), text);
  expect(await index.index()).toMatchObject({ bytes: text.length, malformed: 1 });
  await grow(path, `torn too\n${said("more")}`);
  expect(await index.index()).toMatchObject({ malformed: 1 });
  expect(index.database.all("SELECT malformed FROM sources")).toEqual([{ malformed: 2 }]);
});

test("a transcript of any age is read when everything is to be read anew", async () => {
  await using index = await testIndex();
  await index.write(place("a"), said("one"));
  expect(await index.index({ sinceMs: 1000 })).toMatchObject({ indexed: 0, unchanged: 0 });
  expect(await index.index({ sinceMs: 1000, force: true })).toMatchObject({ indexed: 1 });
});

test("a duplicate is read no further than to where it is known as one", async () => {
  await using index = await testIndex();
  const text = said(`much ${FILLER}`.repeat(30)).repeat(12);
  await index.write(place("a"), text);
  await index.write(place("b"), text);
  const { bytes, duplicates } = await index.index();
  expect(duplicates).toBe(1);
  expect(bytes).toBeLessThan(1.5 * text.length);
});

describe("a duplicate", () => {
  /** An index in which b holds what a holds. */
  async function withDuplicate() {
    const index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    const copy = await index.write(place("b"), said("one"));
    expect(await index.index()).toMatchObject({ indexed: 1, duplicates: 1 });
    return { index, path, copy };
  }

  test("is not read again while nothing has changed, unless everything is read anew", async () => {
    const { index } = await withDuplicate();
    await using _ = index;
    expect(await index.index()).toMatchObject({ unchanged: 1, duplicates: 1, bytes: 0 });
    const read = await index.index({ force: true });
    expect(read).toMatchObject({ indexed: 1, duplicates: 1, bytes: 2 * said("one").length });
  });

  test("is read again once it is written", async () => {
    const { index, copy } = await withDuplicate();
    await using _ = index;
    await grow(copy, said("two"));
    expect(await index.index()).toMatchObject({ duplicates: 1, bytes: 2 * said("one").length });
    expect(await index.index()).toMatchObject({ duplicates: 1, bytes: 0 });
  });

  test("is read once what held the session is gone, or another session's", async () => {
    for (const change of [
      (path: string) => rm(path),
      async (path: string) => {
        await writeFile(path, said(`other ${FILLER}`, "t"));
        await utimes(path, LONG_AGO, LONG_AGO);
      },
    ]) {
      const { index, path, copy } = await withDuplicate();
      await using _ = index;
      await change(path);
      await index.index();
      await index.index();
      expect(paths(index)).toContain(copy);
      expect(index.database.all("SELECT * FROM duplicate_sources")).toEqual([]);
      expect(await index.index()).toMatchObject({ duplicates: 0, bytes: 0 });
    }
  });

  test("is none of a session that is forgotten meanwhile", async () => {
    await using index = await testIndex();
    await index.write(place("a"), said("one"));
    await index.index();
    await index.write(place("b"), said("one"));
    await indexAfter(index, () =>
      index.database.write((tx) => tx.run("DELETE FROM sessions WHERE id = 's'")),
    );
    expect(index.database.all("SELECT * FROM duplicate_sources")).toEqual([]);
  });
});

/** Indexes once more, where somebody else does something before anything is written. */
async function indexAfter(index: TestIndex, meanwhile: () => Promise<unknown>) {
  let isFirst = true;
  const database: Database = {
    ...index.database,
    write: async (work) => {
      if (isFirst) await meanwhile();
      isFirst = false;
      return index.database.write(work);
    },
  };
  return index.index({}, { database });
}

describe("what was read of a transcript that has grown is not written", () => {
  test("where another was read in its place meanwhile", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await index.index();
    await grow(path, said("two"));
    const outcome = await indexAfter(index, async () => {
      await index.write(place("a"), said("six"));
      expect(await index.index()).toMatchObject({ indexed: 1 });
    });
    expect(outcome).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(texts(index)).toEqual(["six"]);
  });

  test("where its session was pruned meanwhile; the next index reads all of it", async () => {
    await using index = await testIndex();
    const path = await index.write(place("a"), said("one"));
    await index.index();
    await grow(path, said(`much ${FILLER}`.repeat(30)).repeat(12));
    const request = { older_than: "2027-01-01T00:00:00.000Z" };
    const outcome = await indexAfter(index, () => pruneSessions(index.database, request, ""));
    expect(outcome).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(texts(index)).toEqual([]);
    expect(await index.index()).toMatchObject({ indexed: 1 });
    expect(texts(index)).toHaveLength(13);
  });
});
