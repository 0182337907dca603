/** Clocks that are wrong, set back, or differ between computers: nothing is lost, and nothing told twice. */
import { expect, test } from "bun:test";
import { appendFile, utimes } from "node:fs/promises";
import { IN_BRIEF, sessionRecords } from "../../../../src/sessions/reports/session-record.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const PATH = "claude/projects/p/s.jsonl";
const YEAR_MS = 365 * 86_400_000;

const said = (text: string, timestamp: string) =>
  `${JSON.stringify({ type: "user", sessionId: "s", timestamp, message: { role: "user", content: text } })}\n`;
const texts = ({ database }: TestIndex) =>
  database
    .all<{ text: string }>("SELECT text FROM messages ORDER BY line_no")
    .map(({ text }) => text);

test("a transcript that was written in the future is read, and done the second time", async () => {
  await using index = await testIndex();
  await index.write(PATH, said("one", "2026-12-01T10:00:00Z"), -YEAR_MS);
  expect(await index.index()).toMatchObject({ indexed: 1, active: 0 });
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
});

test("a transcript that another computer, whose clock is a little ahead, is writing is left for later", async () => {
  await using index = await testIndex();
  await index.write(PATH, said("one", "2026-12-01T10:00:00Z"), -20_000);
  expect(await index.index()).toMatchObject({ indexed: 0, active: 1 });
});

test("what came while the clock was set back is read, once", async () => {
  await using index = await testIndex();
  const path = await index.write(PATH, said("one", "2026-12-01T10:00:00Z"));
  await index.index();
  await appendFile(path, said("two", "2026-11-30T10:00:00Z"));
  const before = new Date(Date.now() - 86_400_000);
  await utimes(path, before, before);
  const now = () => new Date(before.getTime() + 600_000);
  const clock = { now, monotonicMs: () => 0, iso: () => now().toISOString() };
  expect(await index.index({}, { clock })).toMatchObject({ indexed: 1 });
  expect(await index.index({}, { clock })).toMatchObject({ indexed: 0, unchanged: 1 });
  expect(texts(index)).toEqual(["one", "two"]);
});

test("records whose times jump keep their order, and the session the latest of them", async () => {
  await using index = await testIndex();
  const times = [
    "2026-12-01T10:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "2126-12-01T10:00:00.000Z",
    "2026-12-01T09:00:00.000Z",
    "yesterday",
  ];
  await index.write(PATH, times.map((time, at) => said(`the word ${at}`, time)).join(""));
  expect(await index.index()).toMatchObject({ indexed: 1, malformed: 0 });
  expect(texts(index)).toEqual(times.map((_, at) => `the word ${at}`));
  const { database } = index;
  expect(sessionRecords(database, [1], IN_BRIEF)[0]).toMatchObject({
    created_at: times[0],
    updated_at: times[2],
  });
  expect(searchSessions(database, { words: ["word"], limit: 5 })).toHaveLength(1);
});
