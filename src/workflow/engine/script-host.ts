/**
 * Runs one script in a Worker of its own and serves its calls. The worker is taken for hostile:
 * every message is checked, and one that does not answer is ended.
 */
import { errorData, messageOf, PalliumError } from "../../lib/errors.ts";
import type { Json } from "../../lib/json.ts";
import { startWorker, type TextWorker } from "../../platform/worker.ts";
import { WRAPPER_COLUMNS } from "../script/prepare.ts";
import { createEchoes } from "./echoes.ts";
import { createMemoryWatch, type MemoryWatch } from "./memory-watch.ts";
import {
  type BudgetView,
  type CallMessage,
  type DropMessage,
  decodeWorkerMessage,
  type HostMessage,
  type MessageLimits,
  OPEN_CALL_LIMIT,
  ProtocolViolation,
  type StartMessage,
  type WireError,
  type WorkerMessage,
} from "./protocol.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

export interface ScriptHandlers {
  /**
   * Does the work of one call. What it throws is what the script's promise rejects with; without a
   * value the promise never settles, and a script with nothing else to wait for fails as a deadlock.
   */
  call(message: CallMessage): Promise<Json | undefined>;
  drop(message: DropMessage): void;
  phase(name: string, active: boolean): void;
  log(text: string): void;
}

export interface RunScriptOptions {
  /** The worker's program, as `app/assets` names it. */
  readonly entry: string | URL;
  readonly start: Omit<StartMessage, "wrapperColumns" | "limits">;
  readonly handlers: ScriptHandlers;
  /** Read for every answer that is sent to the script. */
  budget(): BudgetView;
  /** Ends the worker at once. */
  readonly signal: AbortSignal;
  readonly limits: ScriptLimits;
  /** Is given, at once, what waits until the script has done all that the answers sent so far let it do. */
  readonly onAsking?: (caughtUp: () => Promise<void>) => void;
  /** Bytes that the process may grow by just now for what is not the script's; 0 without. */
  readonly sparedBytes?: () => number;
}

export interface ScriptLimits extends MessageLimits {
  /** How long the script may leave a ping unanswered, in milliseconds. */
  readonly stallMs: number;
  /** How much the process may grow while the script runs. */
  readonly memoryBytes: number;
}

export type ScriptEnd =
  /** `value` is absent for `undefined`; `notes` say what the script's author should know. */
  | { readonly kind: "returned"; readonly value?: Json; readonly notes: readonly string[] }
  | { readonly kind: "failed"; readonly error: WireError }
  | { readonly kind: "stalled" }
  | { readonly kind: "memory" }
  | { readonly kind: "aborted" }
  /** The worker said what no worker of ours says. */
  | { readonly kind: "violation"; readonly message: string }
  | { readonly kind: "crashed"; readonly message: string };

export type ScriptOutcome = ScriptEnd & {
  /** Ids of calls that were still at work; nobody waits for them any more. */
  readonly abandoned: readonly number[];
};

/**
 * Resolves when the script has ended, however it did, and its worker is ended too.
 * @throws what a handler other than `call`, or `budget`, threw.
 */
export function runScript(options: RunScriptOptions): Promise<ScriptOutcome> {
  if (options.signal.aborted) return Promise.resolve({ kind: "aborted", abandoned: [] });
  return new ScriptRun(options).outcome;
}

class ScriptRun {
  readonly #options: RunScriptOptions;
  readonly #ending = Promise.withResolvers<ScriptOutcome>();
  readonly #worker: TextWorker;
  readonly #memoryWatch: MemoryWatch;
  readonly #watchdog: Watchdog;
  readonly #openCalls = new Set<number>();
  readonly #onAbort = () => this.#end({ kind: "aborted" });
  readonly #echoes = createEchoes((nonce) => this.#send({ type: "echo", nonce }));
  #started = false;
  #lastCall = 0;
  #over = false;

  constructor(options: RunScriptOptions) {
    this.#options = options;
    this.#memoryWatch = createMemoryWatch({
      limitBytes: options.limits.memoryBytes,
      sparedBytes: options.sparedBytes ?? (() => 0),
      onPressure: () => this.#send({ type: "pressure" }),
      onExceeded: () => this.#end({ kind: "memory" }),
    });
    this.#worker = startWorker(options.entry, {
      onPost: (data) => this.#receive(data),
      onError: (message) => this.#end({ kind: "crashed", message }),
    });
    this.#watchdog = createWatchdog({
      limitMs: options.limits.stallMs,
      ping: (nonce) => this.#send({ type: "ping", nonce }),
      onStall: () => this.#end({ kind: "stalled" }),
    });
    options.signal.addEventListener("abort", this.#onAbort);
    options.onAsking?.(this.#echoes.wait);
  }

  get outcome(): Promise<ScriptOutcome> {
    return this.#ending.promise;
  }

  #receive(data: unknown): void {
    if (this.#over) return;
    try {
      this.#handle(decodeWorkerMessage(data, this.#options.limits));
    } catch (error) {
      if (error instanceof ProtocolViolation) {
        this.#end({ kind: "violation", message: error.message });
      } else {
        this.#fail(error);
      }
    }
  }

  #handle(message: WorkerMessage): void {
    const { handlers } = this.#options;
    switch (message.type) {
      case "ready":
        this.#start();
        break;
      case "call":
        this.#call(message);
        break;
      case "drop":
        handlers.drop(message);
        break;
      case "phase":
        handlers.phase(message.name, message.active);
        break;
      case "log":
        handlers.log(message.text);
        break;
      case "pong":
        this.#watchdog.answered(message.nonce);
        break;
      case "echoed":
        this.#echoes.answered(message.nonce);
        break;
      case "returned": {
        const { type: _, ...end } = message;
        this.#end({ kind: "returned", ...end });
        break;
      }
      case "failed":
        this.#end({ kind: "failed", error: message.error });
        break;
    }
  }

  #start(): void {
    if (this.#started) throw new ProtocolViolation("script worker was ready twice");
    this.#started = true;
    const { limits, start } = this.#options;
    const { messageCharacters, logLineCharacters } = limits;
    this.#send({
      ...start,
      wrapperColumns: WRAPPER_COLUMNS,
      limits: { messageCharacters, logLineCharacters },
    });
    this.#echoes.begin();
  }

  #call(message: CallMessage): void {
    const { id } = message;
    if (id <= this.#lastCall) throw new ProtocolViolation("script worker sent a call id twice");
    if (this.#openCalls.size >= OPEN_CALL_LIMIT) {
      throw new ProtocolViolation(`script worker has more than ${OPEN_CALL_LIMIT} open calls`);
    }
    this.#lastCall = id;
    this.#openCalls.add(id);
    this.#options.handlers
      .call(message)
      .then(
        (value) => (value === undefined ? this.#leave(id) : this.#answer(id, { value })),
        (error) => this.#answer(id, { error: wireError(error, id) }),
      )
      .catch((error) => this.#fail(error));
  }

  #answer(id: number, answer: { readonly value: Json } | { readonly error: WireError }): void {
    if (this.#over) return;
    this.#openCalls.delete(id);
    const budget = this.#options.budget();
    const text = JSON.stringify(
      "error" in answer
        ? { type: "rejected", id, ...answer, budget }
        : { type: "settled", id, ...answer, budget },
    );
    const limit = this.#options.limits.messageCharacters;
    if (text.length <= limit) this.#worker.postText(text);
    else this.#send({ type: "rejected", id, error: tooLarge(id, text.length, limit), budget });
  }

  #leave(id: number): void {
    if (this.#over) return;
    this.#openCalls.delete(id);
    this.#send({ type: "unanswered", id });
  }

  #send(message: HostMessage): void {
    this.#worker.postText(JSON.stringify(message));
  }

  #end(end: ScriptEnd): void {
    if (this.#over) return;
    this.#stop();
    this.#ending.resolve({ ...end, abandoned: [...this.#openCalls] });
  }

  /** The fault is the host's own. */
  #fail(error: unknown): void {
    if (this.#over) return;
    this.#stop();
    this.#ending.reject(error);
  }

  #stop(): void {
    this.#over = true;
    this.#memoryWatch.stop();
    this.#watchdog.stop();
    this.#echoes.stop();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#worker.terminate();
  }
}

function wireError(error: unknown, call: number): WireError {
  const { code, message } = errorData(error);
  const fatal = error instanceof PalliumError && error.fatal;
  const name = error instanceof Error ? error.name : "Error";
  return { name, code, message: message || messageOf(error), ...(fatal ? { fatal } : {}), call };
}

function tooLarge(call: number, length: number, limit: number): WireError {
  const message = `the answer has ${length} characters; at most ${limit} can be given to a script`;
  return { name: "PalliumError", code: "message_too_large", message, call };
}
