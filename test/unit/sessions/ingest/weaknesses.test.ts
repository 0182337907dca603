/** Where an index of the Go program went wrong, and what is right. */
import { expect, test } from "bun:test";
import { appendFile, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { openSpace } from "../../../../src/sessions/embeddings/spaces.ts";
import { COPIES_OF } from "../../../../src/sessions/store/forget-session.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

const LONG_AGO = new Date(Date.now() - 600_000);
const said = (uuid: string, text: string) =>
  `${JSON.stringify({
    type: "user",
    sessionId: "grown",
    uuid,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: text },
  })}\n`;
const texts =
  "SELECT id, text FROM messages JOIN sessions ON sessions.key = session ORDER BY line_no";

test("weakness 3 of sessions: a transcript of more than 100 MiB keeps its session, and all of it counts", async () => {
  await using index = await testIndex();
  const path = await index.write("claude/projects/p/grown.jsonl", said("1", "before it grew"));
  expect(await index.index()).toMatchObject({ indexed: 1 });
  const filler = `{"type":"api-request","pad":"${"x".repeat(1024 * 1024)}"}\n`;
  for (let megabytes = 0; megabytes < 101; megabytes += 1) await appendFile(path, filler);
  await appendFile(path, said("2", "after it grew"));
  await utimes(path, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1, malformed: 0 });
  expect(index.database.all(texts)).toEqual([
    { id: "grown", text: "before it grew" },
    { id: "grown", text: "after it grew" },
  ]);
}, 30_000);

test("weakness 9 of sessions: what was embedded hides no transcript, however old it is", async () => {
  await using index = await testIndex();
  await index.database.write((tx) => openSpace(tx, { provider: "openai", model: "m" }));
  await index.write("claude/projects/p/old.jsonl", said("1", "years ago"), 3 * 365 * 86_400_000);
  expect(await index.index()).toMatchObject({ indexed: 1 });
});

test("weakness 10 of sessions: of a transcript that has grown only what is new is read, and then nothing", async () => {
  await using index = await testIndex();
  const path = await index.write("claude/projects/p/grown.jsonl", said("1", "x".repeat(100_000)));
  await index.index();
  const more = said("2", "more");
  await appendFile(path, more);
  await utimes(path, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1, bytes: Buffer.byteLength(more) });
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1, bytes: 0 });
});

test("a record that was read before its newline came is a line like any other", async () => {
  await using index = await testIndex();
  const path = await index.write("claude/projects/p/grown.jsonl", said("1", "one").trimEnd());
  await index.index();
  await appendFile(path, `\n${said("2", "two")}`);
  await utimes(path, LONG_AGO, LONG_AGO);
  await index.index();
  const places = () => index.database.all("SELECT line_no, text FROM messages ORDER BY line_no");
  const expected = [
    { line_no: 1000, text: "one" },
    { line_no: 2000, text: "two" },
  ];
  expect(places()).toEqual(expected);
  await index.index({ force: true });
  expect(places()).toEqual(expected);
});

test("weakness 11 of sessions: a transcript whose path looks like a secret is known again", async () => {
  await using index = await testIndex();
  const folder = `claude/projects/token=${"aB3dE5fG7hJ9kL1m".repeat(2)}`;
  const path = await index.write(`${folder}/grown.jsonl`, said("1", "here"));
  expect(await index.index()).toMatchObject({ indexed: 1 });
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
  await rename(path, join(path, "..", "moved.jsonl"));
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 1 });
});

test("weakness 13 of sessions: what goes of a session is found by indexes, its words by their rows", async () => {
  await using index = await testIndex();
  const plan = (sql: string) =>
    index.database
      .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .map(({ detail }) => detail)
      .join("\n");
  const words = plan(
    "DELETE FROM message_words WHERE rowid IN (SELECT key FROM messages WHERE session = 1)",
  );
  expect(words).toContain("VIRTUAL TABLE INDEX 0:=");
  expect(words).toContain("USING COVERING INDEX messages_session");
  for (const table of ["messages", "touches", "commands", "failures", "usage", "unknown_records"]) {
    expect(plan(`DELETE FROM ${table} WHERE session = 1`)).toMatch(/^SEARCH/);
  }
  expect(plan(COPIES_OF.replaceAll("?", "'x'"))).not.toContain("SCAN");
});
