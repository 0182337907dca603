/** The life of the repo worker: started with the first question, ended with the run. */
import { PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { startWorker, type TextWorker } from "../../platform/worker.ts";
import type {
  LineKind,
  RepoCommand,
  RepoQuestion,
  RepoReply,
  RepoSurroundings,
} from "../engine/repo-protocol.ts";
import type { RepoCalls, RepoControl } from "./repo-calls.ts";

/** What a question that was taken back gets to end its git. A verification ends its processes first. */
const CANCEL_PATIENCE_MS = 1000;

/** What the worker may take: an index of 47,000 files that is made anew took 270 MB. */
const MEMORY_BYTES = 384 * 1024 * 1024;

interface Waiting {
  readonly tell: (kind: LineKind, text: string) => void;
  readonly done: (report: string) => void;
  readonly fail: (error: unknown) => void;
}

/** @param entry the worker's program, as `app/assets` names it. */
export function createRepoWorker(entry: string | URL, surroundings: RepoSurroundings): RepoCalls {
  const worker = new RepoWorker(entry, surroundings);
  return {
    ask: ({ question }, control) => worker.ask(question, control),
    memoryBytes: () => worker.memoryBytes,
    close: () => worker.close(),
  };
}

class RepoWorker {
  readonly #entry: string | URL;
  readonly #surroundings: RepoSurroundings;
  readonly #waiting = new Map<number, Waiting>();
  /** What was said before the worker listened; absent once it does. */
  #unsent: RepoCommand[] | undefined = [];
  #worker: TextWorker | undefined;
  #lastId = 0;

  constructor(entry: string | URL, surroundings: RepoSurroundings) {
    this.#entry = entry;
    this.#surroundings = surroundings;
  }

  async ask(question: RepoQuestion, { marker, signal, tell }: RepoControl): Promise<string> {
    signal.throwIfAborted();
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve: done, reject: fail } = Promise.withResolvers<string>();
    let patience: ReturnType<typeof setTimeout> | undefined;
    const cancel = () => {
      this.#post({ type: "cancel", id });
      if (question.service === "verify") return;
      patience = setTimeout(() => fail(signal.reason), CANCEL_PATIENCE_MS);
    };
    this.#waiting.set(id, { tell, done, fail });
    this.#post({ type: "ask", id, question, marker });
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(patience);
      signal.removeEventListener("abort", cancel);
      this.#waiting.delete(id);
    }
  }

  get memoryBytes(): number {
    return this.#worker === undefined ? 0 : MEMORY_BYTES;
  }

  close(): void {
    this.#abandon("it was ended");
  }

  #start(): TextWorker {
    const worker = startWorker(this.#entry, {
      onPost: (data) => this.#receive(data),
      onError: (message) => this.#abandon(message),
    });
    this.#unsent = [{ type: "start", surroundings: this.#surroundings }];
    return worker;
  }

  #post(command: RepoCommand): void {
    if (this.#unsent === undefined) this.#worker?.postText(JSON.stringify(command));
    else this.#unsent.push(command);
  }

  #receive(data: unknown): void {
    const reply = decodeReply(data);
    if (reply === undefined) {
      this.#abandon("it sent a bad message");
      return;
    }
    if (reply.type === "ready") {
      const unsent = this.#unsent ?? [];
      this.#unsent = undefined;
      for (const command of unsent) this.#post(command);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    if (reply.type === "line") waiting?.tell(reply.kind, reply.text);
    else if (reply.type === "answered") waiting?.done(reply.report);
    else {
      const { code, message, hints } = reply.error;
      waiting?.fail(new PalliumError(code, message, { hints }));
    }
  }

  /** Fails all that waits; the next question starts another worker. */
  #abandon(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const error = new PalliumError("repo_worker_failed", `repo worker failed: ${reason}`, {
      hints: ["resume the run; if it fails again, run the same command outside of a workflow"],
    });
    for (const { fail } of this.#waiting.values()) fail(error);
  }
}

/** The worker runs our own code: what it says is checked for its shape alone. */
function decodeReply(data: unknown): RepoReply | undefined {
  const reply = typeof data === "string" ? parseJson(data) : undefined;
  if (!isRecord(reply)) return undefined;
  const isKnown =
    reply.type === "ready" ||
    (typeof reply.id === "number" &&
      ((reply.type === "line" && typeof reply.text === "string") ||
        (reply.type === "answered" && typeof reply.report === "string") ||
        (reply.type === "refused" && isRecord(reply.error))));
  return isKnown ? (reply as unknown as RepoReply) : undefined;
}
