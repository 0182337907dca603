/** Old sessions, and those whose transcripts are gone, taken out of the store. */
import { expect, test } from "bun:test";
import { appendFile, rm, utimes } from "node:fs/promises";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import { type PruneRequest, pruneSessions } from "../../../../src/sessions/keeping/prune.ts";
import { storedTexts } from "../../../support/stored-bytes.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const NOW = "2026-12-03T10:00:00.000Z";
const LONG_AGO = new Date(Date.now() - 600_000);

const line = (id: string, day: string, text: string) =>
  `${JSON.stringify({
    type: "user",
    sessionId: id,
    uuid: `${id}-${text}`,
    timestamp: `${day}T10:00:00.000Z`,
    message: { role: "user", content: text },
  })}\n`;

async function withSessions() {
  const index = await testIndex();
  const write = (id: string, day: string, text: string) =>
    index.write(`claude/projects/p/${id}.jsonl`, line(id, day, text));
  const old = await write("old", "2026-01-01", "oldwordxyz");
  await write("young", "2026-12-01", "youngwordxyz");
  const gone = await write("gone", "2026-11-01", "gonewordxyz");
  await index.index();
  await rm(gone);
  return { index, old };
}

const prune = ({ database }: TestIndex, request: PruneRequest) =>
  pruneSessions(database, request, NOW);
const ids = ({ database }: TestIndex) =>
  database.all<{ id: string }>("SELECT id FROM sessions ORDER BY id").map(({ id }) => id);

test("weakness 12 of sessions: what is stored of transcripts that are gone can be taken out", async () => {
  const { index } = await withSessions();
  await using _ = index;
  const said = await prune(index, { gone: true, dry_run: true });
  expect(said).toMatchObject({ count: 1, dry_run: true, sessions: [{ id: "gone", messages: 1 }] });
  expect(ids(index)).toEqual(["gone", "old", "young"]);
  expect(await prune(index, { gone: true })).toMatchObject({ count: 1, dry_run: false });
  expect(ids(index)).toEqual(["old", "young"]);
  expect(await storedTexts(index.database.path, ["gonewordxyz", "youngwordxyz"])).toEqual([
    "youngwordxyz",
  ]);
});

test("of several conditions all must hold, and one must be there", async () => {
  const { index } = await withSessions();
  await using _ = index;
  const before = "2026-06-01T00:00:00.000Z";
  expect(await prune(index, { gone: true, older_than: before })).toMatchObject({ count: 0 });
  expect(await prune(index, { gone: true, machine: "elsewhere" })).toMatchObject({ count: 0 });
  expect(await prune(index, { older_than: before })).toMatchObject({ sessions: [{ id: "old" }] });
  expect(prune(index, {})).rejects.toThrow("say what is to be pruned");
  expect(ids(index)).toEqual(["gone", "young"]);
});

test("what was pruned stays away until its transcript is written again, or all is read anew", async () => {
  const { index, old } = await withSessions();
  await using _ = index;
  await prune(index, { older_than: "2026-06-01T00:00:00.000Z" });
  expect(await index.index()).toMatchObject({ indexed: 0, left_out: 1 });
  await appendFile(old, line("old", "2026-12-02", "once more"));
  await utimes(old, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1, left_out: 0 });
  expect(
    index.database.all(
      "SELECT 1 FROM messages JOIN sessions ON sessions.key = session WHERE id = 'old'",
    ),
  ).toHaveLength(2);
  await prune(index, { older_than: "2026-12-03T00:00:00.000Z" });
  expect(await index.index({ force: true })).toMatchObject({ indexed: 2, left_out: 0 });
  expect(ids(index)).toEqual(["old", "young"]);
});

test("what was pruned does not come back by another transcript of it", async () => {
  const { index } = await withSessions();
  await using _ = index;
  const copy = await index.write(
    "claude/projects/q/old.jsonl",
    line("old", "2026-01-01", "oldwordxyz"),
  );
  expect(await index.index()).toMatchObject({ duplicates: 1 });
  await prune(index, { older_than: "2026-06-01T00:00:00.000Z" });
  expect(await index.index()).toMatchObject({ indexed: 0, duplicates: 0, left_out: 2 });
  await appendFile(copy, line("old", "2026-12-02", "once more"));
  await utimes(copy, LONG_AGO, LONG_AGO);
  expect(await index.index()).toMatchObject({ indexed: 1, left_out: 1 });
});

test("what an index has read on in the meantime stays", async () => {
  const { index, old } = await withSessions();
  await using _ = index;
  const meanwhile = async () => {
    await appendFile(old, line("old", "2026-12-02", "once more"));
    await index.index({ quietMs: 0 });
  };
  const database: Database = {
    ...index.database,
    write: async (work) => {
      if (ids(index).includes("gone")) await meanwhile();
      return index.database.write(work);
    },
  };
  const report = await pruneSessions(database, { older_than: "2026-11-30T00:00:00.000Z" }, NOW);
  expect(report).toMatchObject({ count: 1, sessions: [{ id: "gone" }] });
  expect(ids(index)).toEqual(["old", "young"]);
});

test("a session that says no time is as old as its reading, and many go as one does", async () => {
  await using index = await testIndex();
  for (let at = 0; at < 210; at += 1) {
    const text = line(`s${at}`, "2026-12-01", "hello").replace('"timestamp"', '"time"');
    await index.write(`claude/projects/p/s${at}.jsonl`, text);
  }
  await index.index();
  const earlier = new Date(Date.now() - 3_600_000).toISOString();
  expect(await prune(index, { older_than: earlier })).toMatchObject({ count: 0 });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect(await prune(index, { older_than: later })).toMatchObject({ count: 210 });
  expect(ids(index)).toEqual([]);
});
