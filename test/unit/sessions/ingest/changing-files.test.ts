/** Transcripts that become another file while, or after, they are read. */
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { readFile, rm, truncate, utimes } from "node:fs/promises";
import { systemClock } from "../../../../src/platform/clock.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const PATH = "claude/projects/p/s.jsonl";
const LONG_AGO = new Date(Date.now() - 600_000);

const said = (at: number, text = "said") =>
  `${JSON.stringify({
    type: "user",
    sessionId: "s",
    uuid: `uuid-${at}`,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: `${at} ${text}` },
  })}\n`;
const lines = (count: number, text?: string) =>
  Array.from({ length: count }, (_, at) => said(at, text)).join("");
const texts = ({ database }: TestIndex) =>
  database
    .all<{ text: string }>("SELECT text FROM messages ORDER BY line_no")
    .map(({ text }) => text.split(" ")[0]);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

test("a transcript that was cut off is what is left of it, and goes on from there", async () => {
  await using index = await testIndex();
  const path = await index.write(PATH, lines(9));
  await index.index();
  await truncate(path, lines(4).length + 30);
  await utimes(path, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1 });
  expect(texts(index)).toEqual(numbers(4));
  await index.write(PATH, lines(6));
  expect(await index.index()).toMatchObject({ indexed: 1, malformed: 0 });
  expect(texts(index)).toEqual(numbers(6));
});

test("what an agent adds while its transcript is read, in the middle of a line too, is there once", async () => {
  await using index = await testIndex();
  const long = "at some length ".repeat(400);
  const path = await index.write(PATH, lines(3000, long));
  const torn = said(3001);
  let added = false;
  const clock = {
    ...systemClock(),
    // It is asked for the time of the first transaction.
    iso: () => {
      if (!added) appendFileSync(path, said(3000) + torn.slice(0, 40));
      added = true;
      return systemClock().iso();
    },
  };
  expect(await index.index({}, { clock })).toMatchObject({ indexed: 1, malformed: 0 });
  expect(added).toBe(true);
  appendFileSync(path, torn.slice(40));
  await utimes(path, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1, malformed: 0 });
  expect(texts(index)).toEqual(numbers(3002));
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
}, 30_000);

test("of a transcript and its packed twin one is read, and either may go", async () => {
  await using index = await testIndex();
  const path = await index.place("codex", "session");
  const name = path.slice(index.directory.length + 1);
  await index.write(`${name}.zst`, await Bun.zstdCompress(await readFile(path)));
  expect(await index.index()).toMatchObject({ indexed: 1, duplicates: 1, problems: [] });
  const messages = texts(index);
  expect(messages.length).toBeGreaterThan(0);
  await rm(path);
  expect(await index.index()).toMatchObject({ problems: [] });
  expect(texts(index)).toEqual(messages);
  expect(index.database.all("SELECT key FROM sessions")).toHaveLength(1);
  expect(await index.index()).toMatchObject({ indexed: 0 });
});
