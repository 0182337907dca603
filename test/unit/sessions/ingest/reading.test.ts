/** What is read in a Worker beside the writing, and how pieces of transcripts come together. */
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workerEntry } from "../../../../src/app/assets.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import {
  decodeReply,
  encodeReply,
  type ReaderReply,
} from "../../../../src/sessions/ingest/reader-protocol.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

const BESIDE = { readerWorker: workerEntry("sessions") };
const SECRET = `sk-${"aB3dE5fG7hJ9kL1m".repeat(2)}`;
/** So much that a Worker is worth it, in several pieces and transactions. */
const WORDS = `what was said at some length, parsePatch, 🦀, ${SECRET} `.repeat(60);

function said(sessionId: string, at: number, text: string): string {
  return JSON.stringify({
    type: "user",
    sessionId,
    uuid: `${sessionId}-${at}`,
    timestamp: "2026-12-01T10:00:00.000Z",
    message: { role: "user", content: `${at}: ${text}` },
  });
}

function transcript(sessionId: string, lines: number): string {
  return `${Array.from({ length: lines }, (_, at) => said(sessionId, at, WORDS)).join("\n")}\n`;
}

/** All that is stored of transcripts but when; sessions by their names. */
function stored({ database }: TestIndex) {
  const tables = ["messages", "touches", "commands", "failures", "unknown_records"];
  return {
    sessions: database.all("SELECT *, NULL AS key, NULL AS indexed_at FROM sessions ORDER BY id"),
    sources: database.all("SELECT path, size, read_bytes, read_lines, state FROM sources"),
    found: database.all("SELECT count(*) FROM message_words WHERE message_words MATCH 'patch'"),
    ...Object.fromEntries(
      tables.map((table) => [
        table,
        database.all(
          `SELECT id, rest.*, NULL AS key, NULL AS session
           FROM ${table} AS rest JOIN sessions ON sessions.key = rest.session ORDER BY 1, 3, 4, 5`,
        ),
      ]),
    ),
  };
}

async function fill(index: TestIndex): Promise<void> {
  for (const name of ["session", "fork", "helped", "helper"] as const) {
    await index.place("codex", name);
    await index.place("claude", name);
  }
  await index.write("claude/projects/p/a.jsonl", transcript("a", 1200));
  await index.write("claude/projects/p/b.jsonl", `${transcript("b", 300)}{"torn`);
}

test("what a Worker reads is stored as what is read here", async () => {
  await using index = await testIndex();
  await fill(index);
  const here = await index.index();
  const expected = stored(index);
  const beside = await index.index({ force: true }, BESIDE);
  expect(here).toMatchObject({ indexed: 10, malformed: 0, problems: [] });
  expect(beside).toEqual(here);
  expect(stored(index)).toEqual(expected);
  expect(JSON.stringify(stored(index)).includes(SECRET)).toBe(false);
  expect(await index.index({}, BESIDE)).toMatchObject({ indexed: 0, unchanged: 10 });
}, 60_000);

describe.each([
  ["here", {}],
  ["in a Worker", BESIDE],
])("read %s", (_place, powers) => {
  test("of two files that hold one session the second is a duplicate", async () => {
    await using index = await testIndex();
    await index.write("claude/projects/p/a.jsonl", transcript("same", 900));
    await index.write("claude/projects/p/b.jsonl", transcript("same", 900));
    expect(await index.index({}, powers)).toMatchObject({ indexed: 1, duplicates: 1 });
    expect(index.database.all("SELECT key FROM messages")).toHaveLength(900);
    expect(await index.index({}, powers)).toMatchObject({ duplicates: 1, unchanged: 1 });
  }, 30_000);

  test("weakness 12 of sessions: a file that cannot be read keeps no other from it", async () => {
    await using index = await testIndex();
    const name = "codex/sessions/rollout-2026-12-03T06-00-37-x.jsonl.zst";
    const broken = await index.write(name, "no such file");
    await index.write("claude/projects/p/a.jsonl", transcript("a", 1200));
    await index.write("codex/sessions/rollout-2026-12-03T07-00-00-y.jsonl", "{}\n");
    const outcome = await index.index({}, powers);
    expect(outcome.indexed).toBe(2);
    expect(outcome.problems).toHaveLength(1);
    expect(outcome.problems[0]).toContain(broken);
  }, 30_000);

  test("an interruption keeps what was written, and the next index goes on", async () => {
    await using index = await testIndex();
    await index.write("claude/projects/p/a.jsonl", transcript("a", 3000));
    const interruption = new AbortController();
    const clock = {
      ...systemClock(),
      // It is asked for the time of the first transaction.
      iso: () => {
        interruption.abort(new Error("asked to end"));
        return systemClock().iso();
      },
    };
    const interrupted = index.index({}, { ...powers, clock, signal: interruption.signal });
    await expect(interrupted).rejects.toThrow("asked to end");
    const messages = () => index.database.all("SELECT key FROM messages").length;
    expect(messages()).toBeGreaterThan(0);
    expect(messages()).toBeLessThan(3000);
    expect(await index.index({}, powers)).toMatchObject({ indexed: 1 });
    expect(messages()).toBe(3000);
  }, 30_000);
});

test("a Worker that fails is an error that says so", async () => {
  await using index = await testIndex();
  await index.write("claude/projects/p/a.jsonl", transcript("a", 1200));
  const broken = join(index.directory, "broken.ts");
  await writeFile(broken, "throw new Error('it fell over');\n");
  const indexing = index.index({}, { readerWorker: broken });
  await expect(indexing).rejects.toMatchObject({ code: "session_reader_failed" });
});

test("two thousand small transcripts are each there once, and done the second time", async () => {
  await using index = await testIndex();
  for (let at = 0; at < 2000; at += 1) {
    const text = `${said(`s${at}`, at, "one parsePatch")}\n${said(`s${at}`, -1, "two")}\n`;
    await index.write(`claude/projects/p${at % 7}/s${at}.jsonl`, text);
  }
  expect(await index.index()).toMatchObject({ indexed: 2000, duplicates: 0, problems: [] });
  expect(index.database.all("SELECT key FROM messages")).toHaveLength(4000);
  expect(await index.index()).toMatchObject({ indexed: 0, unchanged: 2000, bytes: 0 });
}, 60_000);

test("a piece comes through as it was, whatever its texts are made of", () => {
  const message = { lineNo: 1, timestamp: "", role: "user", kind: "message", uid: "" } as const;
  const texts = ["", "plain", '"quoted" \\ \n', "🦀 é", "{", "7 7"];
  const bytes = texts.map((text) => new Uint8Array(Buffer.from(text)));
  const piece = { batch: { messages: bytes.map((text) => ({ ...message, text, parts: text })) } };
  const reply = { type: "piece", id: 3, piece } as unknown as ReaderReply;
  expect(decodeReply(encodeReply(reply))).toEqual(reply);
  expect(decodeReply(encodeReply({ type: "ended" }))).toEqual({ type: "ended" });
});
