/** Has a Worker read transcripts, while what it has read is written here. */
import { type ErrorData, PalliumError } from "../../lib/errors.ts";
import { startWorker } from "../../platform/worker.ts";
import type { Read, Reading, ReadRequest } from "./pieces.ts";
import { decodeReply, type Encoded, type ReaderCommand } from "./reader-protocol.ts";

/** Transcripts that are asked for before the first of them is read. */
const AHEAD = 64;

/** What comes by and by, to be taken one after the other. */
interface Mailbox<T> {
  put(item: T): void;
  /** Makes the next `take` reject, whatever was put before. */
  fail(reason: unknown): void;
  take(): Promise<T>;
}

function createMailbox<T>(): Mailbox<T> {
  const items: T[] = [];
  let failure: { readonly reason: unknown } | undefined;
  let wake = (): void => {};
  return {
    put: (item) => {
      items.push(item);
      wake();
    },
    fail: (reason) => {
      failure ??= { reason };
      wake();
    },
    take: async () => {
      for (;;) {
        if (failure !== undefined) throw failure.reason;
        const item = items.shift();
        if (item !== undefined) return item;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}

/** Transcripts that were asked for and not told to their end, by number. */
interface Asking {
  readonly open: Map<number, ReadRequest>;
  /** Asks for as many more as may be open. */
  ask(): void;
}

function createAsking(
  requests: Iterable<ReadRequest>,
  post: (command: ReaderCommand) => void,
): Asking {
  const left = requests[Symbol.iterator]();
  const open = new Map<number, ReadRequest>();
  let lastId = 0;
  let isEnded = false;
  return {
    open,
    ask: () => {
      while (open.size < AHEAD && !isEnded) {
        const { done, value: request } = left.next();
        if (done === true) {
          isEnded = true;
          post({ type: "end" });
        } else {
          lastId += 1;
          open.set(lastId, request);
          post({ type: "read", id: lastId, request });
        }
      }
    },
  };
}

/**
 * @param entry the Worker's program, as `app/assets` names it.
 * @throws from `reads`: PalliumError `session_reader_failed`; the reason of `signal`.
 */
export function readBeside(
  entry: string | URL,
  requests: Iterable<ReadRequest>,
  signal: AbortSignal,
): Reading {
  const told = createMailbox<Encoded>();
  const worker = startWorker(entry, {
    onPost: (data) => {
      if (typeof data === "string" || data instanceof Uint8Array) told.put(data as Encoded);
      else told.fail(readerFailed("it sent a bad message"));
    },
    onError: (message) => told.fail(readerFailed(message)),
  });
  const abort = () => told.fail(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const post = (command: ReaderCommand) => worker.postText(JSON.stringify(command));
  const { open, ask } = createAsking(requests, post);

  async function* reads(): AsyncGenerator<Read> {
    for (;;) {
      const encoded = await told.take();
      const reply = decodeReply(encoded);
      if (reply.type === "ended") return;
      if (reply.type === "failed") throw failed(reply.error);
      if (reply.type !== "ready") {
        const request = open.get(reply.id);
        if (request === undefined) throw readerFailed("it told what nobody asked for");
        if (reply.type !== "piece" || reply.piece.isLast) open.delete(reply.id);
        if (reply.type === "piece") yield { request, piece: reply.piece };
        else if (reply.type === "problem") yield { request, problem: reply.problem };
        post({ type: "taken", size: encoded.length });
      }
      ask();
    }
  }

  return {
    reads: reads(),
    skip: (request) => {
      for (const [id, one] of open) if (one === request) post({ type: "skip", id });
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener("abort", abort);
      worker.terminate();
    },
  };
}

function failed({ code, message, hints }: ErrorData): PalliumError {
  return code === "internal_error"
    ? readerFailed(message)
    : new PalliumError(code, message, { hints });
}

function readerFailed(reason: string): PalliumError {
  return new PalliumError("session_reader_failed", `reading transcripts failed: ${reason}`, {
    hints: ["run pallium sessions index again; it goes on from there"],
  });
}
