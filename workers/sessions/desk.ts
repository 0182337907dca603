/** Takes what is to be read, and tells what was read of it as far as that is taken. */
import { errorData } from "../../src/lib/errors.ts";
import { createSecretScanner } from "../../src/secrets/scanner.ts";
import type { ReadRequest } from "../../src/sessions/ingest/pieces.ts";
import { readTranscripts } from "../../src/sessions/ingest/read-transcripts.ts";
import {
  type Encoded,
  encodeReply,
  type ReaderCommand,
  type ReaderReply,
  UNTAKEN_BYTES,
} from "../../src/sessions/ingest/reader-protocol.ts";

interface Asked {
  readonly id: number;
  readonly request: ReadRequest;
}

export function createReaderDesk(post: (reply: Encoded) => void): (command: ReaderCommand) => void {
  const waiting: Asked[] = [];
  const skipped = new Set<number>();
  let current: Asked | undefined;
  let isEnded = false;
  let untaken = 0;
  let wake = (): void => {};

  const changes = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    return promise;
  };
  const tell = (reply: ReaderReply): void => {
    const encoded = encodeReply(reply);
    untaken += encoded.length;
    post(encoded);
  };

  async function* requests(): AsyncGenerator<ReadRequest> {
    for (;;) {
      current = waiting.shift();
      if (current !== undefined) yield current.request;
      else if (isEnded) return;
      else await changes();
    }
  }

  async function readAll(): Promise<void> {
    const isSkipped = () => current !== undefined && skipped.has(current.id);
    for await (const read of readTranscripts(requests(), createSecretScanner(), isSkipped)) {
      const id = current?.id ?? 0;
      if ("problem" in read) tell({ type: "problem", id, problem: read.problem });
      else tell({ type: "piece", id, piece: read.piece });
      // What was posted to this Worker meanwhile is heard only now.
      await new Promise((resolve) => setImmediate(resolve));
      while (untaken > UNTAKEN_BYTES) await changes();
      if (skipped.has(id) && "piece" in read && !read.piece.isLast) tell({ type: "skipped", id });
    }
    tell({ type: "ended" });
  }

  readAll().catch((error) => tell({ type: "failed", error: errorData(error) }));

  return (command) => {
    if (command.type === "read") waiting.push(command);
    else if (command.type === "end") isEnded = true;
    else if (command.type === "skip") skipped.add(command.id);
    else untaken -= command.size;
    wake();
  };
}
