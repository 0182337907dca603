/** The life of the schema worker: started when needed, asked one thing at a time, ended when it is late. */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { processorTime } from "../../platform/processor-time.ts";
import { startWorker, type TextWorker } from "../../platform/worker.ts";
import type { SchemaReply, SchemaRequest } from "./protocol.ts";

interface Waiting {
  readonly request: SchemaRequest;
  readonly done: (reply: SchemaReply) => void;
  readonly fail: (error: PalliumError) => void;
}

/** How many times as long one that gets no processor may take. */
const LONGEST_WAIT = 10;

export class SchemaWorker {
  readonly #entry: string | URL;
  readonly #deadlineMs: number;
  readonly #spentMs: () => number;
  readonly #queue: Waiting[] = [];
  #worker: TextWorker | undefined;
  #ready = false;
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  /**
   * @param deadlineMs processor time for one request; in real time it may take ten times as long.
   * @param spentMs processor time of this process so far, in milliseconds.
   */
  constructor(entry: string | URL, deadlineMs: number, spentMs = processorTime) {
    this.#entry = entry;
    this.#deadlineMs = deadlineMs;
    this.#spentMs = spentMs;
  }

  /** @throws PalliumError `schema_timeout`, `schema_worker_failed` or `schema_worker_ended` */
  ask(request: Omit<SchemaRequest, "id">): Promise<SchemaReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((done, fail) => {
      this.#queue.push({ request: { ...request, id }, done, fail });
      this.#next();
    });
  }

  close(): void {
    const waiting = this.#queue.splice(0);
    if (this.#current !== undefined) waiting.unshift(this.#current);
    this.#end();
    const error = new PalliumError("schema_worker_ended", "schema worker was ended");
    for (const { fail } of waiting) fail(error);
  }

  #next(): void {
    if (this.#current !== undefined || this.#queue.length === 0) return;
    this.#worker ??= this.#start();
    if (!this.#ready) return;
    const current = this.#queue.shift();
    if (current === undefined) return;
    this.#current = current;
    this.#worker.postText(JSON.stringify(current.request));
    this.#expect(current, performance.now(), this.#spentMs());
  }

  /** On a busy machine a request waits for the processor, which is not its fault. */
  #expect(current: Waiting, begun: number, spentBefore: number): void {
    const look = () => {
      if (this.#current !== current) return;
      const hasSpent = this.#spentMs() - spentBefore >= this.#deadlineMs;
      const isOver = performance.now() - begun >= this.#deadlineMs * LONGEST_WAIT;
      if (hasSpent || isOver) this.#late(current);
      else this.#expect(current, begun, spentBefore);
    };
    // A reply that came while this process was busy is let in before the verdict.
    this.#timer = setTimeout(() => setImmediate(look), this.#deadlineMs);
  }

  #start(): TextWorker {
    return startWorker(this.#entry, {
      onPost: (data) => this.#receive(data),
      onError: (message) => this.#abandon(message),
    });
  }

  #receive(data: unknown): void {
    if (data === "ready") {
      this.#ready = true;
    } else {
      const reply = decodeReply(data);
      if (reply === undefined || reply.id !== this.#current?.request.id) {
        this.#abandon("it sent a bad message");
        return;
      }
      clearTimeout(this.#timer);
      this.#current.done(reply);
      this.#current = undefined;
    }
    this.#next();
  }

  #late(current: Waiting): void {
    this.#end();
    const what = `agent schema took longer than ${this.#deadlineMs} ms to compile or apply`;
    current.fail(
      new PalliumError("schema_timeout", what, { hints: ["simplify its patterns and unions"] }),
    );
    this.#next();
  }

  /** Fails the request at hand, or all of them where the worker does not even start. */
  #abandon(reason: string): void {
    const failed = this.#current === undefined ? this.#queue.splice(0) : [this.#current];
    this.#end();
    const error = new PalliumError("schema_worker_failed", `schema worker failed: ${reason}`, {
      hints: ["simplify the schema; without one the answer is text that the script can parse"],
    });
    for (const { fail } of failed) fail(error);
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
    this.#current = undefined;
  }
}

function decodeReply(data: unknown): SchemaReply | undefined {
  const reply = typeof data === "string" ? parseJson(data) : undefined;
  if (!isRecord(reply)) return undefined;
  const { id, verdict, message } = reply;
  if (typeof id !== "number" || typeof message !== "string") return undefined;
  if (verdict !== "ok" && verdict !== "mismatch" && verdict !== "invalid_schema") return undefined;
  return { id, verdict, message };
}
