/** What the reading Worker tells, and when it waits: it must neither run ahead nor leave anybody waiting. */
import { expect, test } from "bun:test";
import { lookAt } from "../../../../src/platform/walk-files.ts";
import {
  decodeReply,
  type ReaderReply,
  UNTAKEN_BYTES,
} from "../../../../src/sessions/ingest/reader-protocol.ts";
import { createReaderDesk } from "../../../../workers/sessions/desk.ts";
import { type TestIndex, testIndex } from "../../../support/transcripts/index.ts";

/** A transcript of so many pieces, and a little more. */
async function transcriptOf(index: TestIndex, name: string, pieces: number) {
  const content = "some words that were said ".repeat(40_000);
  const line = JSON.stringify({ type: "user", sessionId: name, message: { content } });
  const path = await index.write(`${name}.jsonl`, `${line}\n`.repeat(pieces));
  const file = lookAt(path, `${name}.jsonl`, () => {});
  if (typeof file === "string") throw new Error(`there is no file: ${file}`);
  return { file: { ...file, provider: "claude" as const }, force: false };
}

/** As one line each: `piece 1`, `last 1`, `skipped 1`. */
function named(reply: ReaderReply): string {
  if (reply.type === "piece") return `${reply.piece.isLast ? "last" : "piece"} ${reply.id}`;
  return "id" in reply ? `${reply.type} ${reply.id}` : reply.type;
}

test("a transcript that is wanted no more ends with a word of it, and the next one comes", async () => {
  await using index = await testIndex();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const told: string[] = [];
  const take = createReaderDesk((encoded) => {
    const reply = decodeReply(encoded);
    told.push(named(reply));
    if (named(reply) === "piece 1") take({ type: "skip", id: 1 });
    take({ type: "taken", size: encoded.length });
    if (reply.type === "ended") resolve();
  });
  take({ type: "read", id: 1, request: await transcriptOf(index, "a", 4) });
  take({ type: "read", id: 2, request: await transcriptOf(index, "b", 1) });
  take({ type: "end" });
  await ended;
  expect(told).toEqual(["piece 1", "skipped 1", "piece 2", "last 2", "ended"]);
});

test("no more is told than may wait to be taken", async () => {
  await using index = await testIndex();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let untaken = 0;
  let most = 0;
  const take = createReaderDesk((encoded) => {
    most = Math.max(most, untaken);
    untaken += encoded.length;
    if (untaken > UNTAKEN_BYTES) {
      void othersHadTheirTurn().then(() => {
        take({ type: "taken", size: untaken });
        untaken = 0;
      });
    }
    if (decodeReply(encoded).type === "ended") resolve();
  });
  take({ type: "read", id: 1, request: await transcriptOf(index, "a", 12) });
  take({ type: "end" });
  await ended;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(UNTAKEN_BYTES);
});

/** Ends when whatever goes on by itself has had many turns of the event loop to go on. */
async function othersHadTheirTurn(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}
