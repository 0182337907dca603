/** One script in this worker, from its start message to its result. */
import type { Json } from "../../src/lib/json.ts";
import { toJson } from "../../src/lib/to-json.ts";
import {
  CALL_SITE,
  type HostMessage,
  type MessageLimits,
  type StartMessage,
  type WireError,
  type WorkerMessage,
} from "../../src/workflow/engine/protocol.ts";
import { createScriptApi } from "./api.ts";
import { Contexts } from "./contexts.ts";
import { ScriptErrors } from "./errors.ts";
import { HostCalls } from "./host-calls.ts";
import type { LockedRealm } from "./lockdown.ts";
import { Phases } from "./phases.ts";
import { createLocate } from "./positions.ts";
import type { Rejections } from "./rejections.ts";

/** Most characters of one note; the protocol takes 4096. */
const NOTE_LENGTH = 1000;

const DEADLOCK =
  "the script waits for an unresolved (pending) promise: no agent() or check() call is running, so nothing can settle it any more; await what calls return, and resolve promises that you make yourself";

export interface SessionPowers {
  readonly realm: LockedRealm;
  readonly rejections: Rejections;
  postText(text: string): void;
  /** Calls back when all promise reactions that are due have run. */
  afterReactions(callback: () => void): void;
}

export class Session {
  readonly #powers: SessionPowers;
  readonly #errors: ScriptErrors;
  readonly #contexts: Contexts;
  readonly #calls: HostCalls;
  readonly #limits: MessageLimits;
  #settled = false;

  constructor(powers: SessionPowers, start: StartMessage) {
    this.#powers = powers;
    this.#limits = start.limits;
    const post = (message: WorkerMessage) => powers.postText(JSON.stringify(message));
    const isMarked = start.program.includes(CALL_SITE);
    this.#errors = new ScriptErrors(createLocate(start, powers.realm.stackOf));
    this.#contexts = new Contexts(
      new Phases((name, active) => post({ type: "phase", name, active })),
    );
    this.#calls = new HostCalls({
      contexts: this.#contexts,
      errors: this.#errors,
      budget: start.budget,
      messageLimit: start.limits.messageCharacters,
      isMarked,
      post: powers.postText,
      fail: (error) => this.#fail(error),
    });
    const api = createScriptApi({
      args: start.args,
      calls: this.#calls,
      contexts: this.#contexts,
      errors: this.#errors,
      logLineLimit: start.limits.logLineCharacters,
      isMarked,
      post,
    });
    this.#run(start.program, harden(api));
  }

  settle(answer: Extract<HostMessage, { readonly type: "settled" | "rejected" }>): void {
    this.#calls.settle(answer);
    this.#watchForDeadlock();
  }

  leaveUnanswered(id: number): void {
    this.#calls.leaveUnanswered(id);
    this.#watchForDeadlock();
  }

  #run(program: string, api: Readonly<Record<string, unknown>>): void {
    const script = async () => {
      const body = this.#powers.realm.evaluate(program, api) as () => PromiseLike<unknown>;
      return await body();
    };
    this.#contexts.atTop(script).then(
      (value) => this.#finish(() => this.#returned(value)),
      (error) => this.#finish(() => this.#failed(this.#errors.toWire(error))),
    );
    this.#watchForDeadlock();
  }

  /** Rejections that nobody handles are known only when all reactions have run. */
  #finish(outcome: () => WorkerMessage): void {
    this.#settled = true;
    this.#powers.afterReactions(() => this.#post(outcome()));
  }

  #watchForDeadlock(): void {
    if (this.#calls.outstanding > 0) return;
    this.#powers.afterReactions(() => {
      if (this.#settled || this.#calls.outstanding > 0) return;
      this.#settled = true;
      this.#post(this.#failed(this.#errors.toWire(this.#errors.coded("deadlock", DEADLOCK))));
    });
  }

  /** Says once, and at once, how the script failed; the host ends the worker when it reads that. */
  #fail(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#post(this.#failed(this.#errors.toWire(error)));
  }

  #post(message: WorkerMessage): void {
    this.#powers.postText(JSON.stringify(message));
  }

  #failed(error: WireError): WorkerMessage {
    return { type: "failed", error };
  }

  #returned(value: unknown): WorkerMessage {
    const unhandled = this.#powers.rejections
      .unhandled()
      .map((reason) => this.#errors.toWire(reason))
      .filter((error) => error.call === undefined)
      .map((error) => `nothing handled a rejected promise: ${error.message}`);
    if (value === undefined) return { type: "returned", notes: unhandled.map(shortNote) };
    const encoding = toJson(value, { name: "$", limit: this.#limits.messageCharacters });
    if (!encoding.ok) return this.#noResult(encoding.code, encoding.message);
    return this.#withinLimit(encoding.value, [...encoding.notes, ...unhandled].map(shortNote));
  }

  #withinLimit(value: Json, notes: readonly string[]): WorkerMessage {
    const message: WorkerMessage = { type: "returned", value, notes };
    if (JSON.stringify(message).length <= this.#limits.messageCharacters) return message;
    return this.#noResult(
      "too_large",
      `$ is past the limit of ${this.#limits.messageCharacters} characters of JSON`,
    );
  }

  #noResult(code: "not_data" | "too_large", reason: string): WorkerMessage {
    const name = "PalliumError";
    return this.#failed(
      code === "too_large"
        ? {
            name,
            code: "message_too_large",
            message: `the script's result is too large: ${reason}`,
          }
        : { name, code: "result_not_data", message: `the script's result is not data: ${reason}` },
    );
  }
}

function shortNote(note: string): string {
  return note.length <= NOTE_LENGTH ? note : `${note.slice(0, NOTE_LENGTH)}…`;
}
