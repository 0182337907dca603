/** Calls whose work the host does: each becomes a message and a promise. */
import type { Json } from "../../src/lib/json.ts";
import { toJson } from "../../src/lib/to-json.ts";
import {
  type BudgetView,
  type CallMessage,
  type HostMessage,
  type HostPrimitive,
  OPEN_CALL_LIMIT,
} from "../../src/workflow/engine/protocol.ts";
import type { Contexts } from "./contexts.ts";
import type { ScriptErrors, ScriptPosition } from "./errors.ts";

type Answer = Extract<HostMessage, { readonly type: "settled" | "rejected" }>;

interface WaitingCall {
  resolve(value: Json): void;
  reject(error: Error): void;
  /** Knows the position of the call in the script. */
  readonly origin: Error;
}

export interface HostCallsOptions {
  readonly contexts: Contexts;
  readonly errors: ScriptErrors;
  readonly budget: BudgetView;
  readonly messageLimit: number;
  /** Whether the host is to be told where in the script calls are. */
  readonly isMarked: boolean;
  post(text: string): void;
  /** Ends the script, whatever it does next. */
  fail(error: Error): void;
}

export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #waiting = new Map<number, WaitingCall>();
  #lastId = 0;
  #site: ScriptPosition | undefined;
  #budget: BudgetView;

  constructor(options: HostCallsOptions) {
    this.#options = options;
    this.#budget = options.budget;
  }

  /** As the latest message of the host had it. */
  get budget(): BudgetView {
    return this.#budget;
  }

  get outstanding(): number {
    return this.#waiting.size;
  }

  /** Makes the calls that `work` makes at once known to be made at a place in the script. */
  from<T>(site: ScriptPosition, work: () => T): T {
    const outer = this.#site;
    this.#site = site;
    try {
      return work();
    } finally {
      this.#site = outer;
    }
  }

  /**
   * @param names what messages call the arguments, by position.
   * @param ownScope of a call that makes calls itself.
   */
  call(
    primitive: HostPrimitive,
    names: readonly string[],
    args: readonly unknown[],
    ownScope?: string,
  ): Promise<Json> {
    return new Promise((resolve, reject) => {
      const { contexts, messageLimit, post } = this.#options;
      this.#assertFewOpen();
      const encoded = this.#encode(primitive, names, args);
      const id = this.#lastId + 1;
      const { phase } = contexts;
      const scope = ownScope ?? contexts.scope;
      const origin = new Error(primitive);
      const message: CallMessage = {
        type: "call",
        id,
        primitive,
        scope,
        phase,
        ...this.#placeOfCall(origin),
        args: encoded,
      };
      const text = JSON.stringify(message);
      if (text.length > messageLimit) throw this.#tooLarge(primitive);
      // A script near the end of its stack can fail at any step: none may leave a call that waits
      // and was never posted.
      this.#lastId = id;
      post(text);
      this.#waiting.set(id, { resolve, reject, origin });
    });
  }

  settle(answer: Answer): void {
    this.#budget = answer.budget;
    const call = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.type === "settled") call?.resolve(answer.value);
    else call?.reject(this.#options.errors.fromWire(answer.error, call.origin));
  }

  leaveUnanswered(id: number): void {
    this.#waiting.delete(id);
  }

  /** The stack knows it of calls that are made under another name, unless it was the last thing done. */
  #placeOfCall(origin: Error): ScriptPosition | undefined {
    if (!this.#options.isMarked) return undefined;
    return this.#site ?? this.#options.errors.placeOf(origin);
  }

  #encode(
    primitive: HostPrimitive,
    names: readonly string[],
    args: readonly unknown[],
  ): readonly Json[] {
    const given = args.slice(0, names.length);
    while (given.length > 0 && given.at(-1) === undefined) given.pop();
    return given.map((value, index) => {
      const name = `${primitive} ${names[index]}`;
      const encoding = toJson(value, { name, limit: this.#options.messageLimit });
      if (encoding.ok) return encoding.value;
      if (encoding.code === "too_large") throw this.#tooLarge(primitive);
      throw this.#options.errors.coded("argument_not_data", encoding.message);
    });
  }

  /** Not for the script to catch: it makes calls faster than anybody could answer them. */
  #assertFewOpen(): void {
    if (this.outstanding < OPEN_CALL_LIMIT) return;
    const message = `the script has ${OPEN_CALL_LIMIT} calls open; await some before making more`;
    const error = this.#options.errors.coded("too_many_calls", message);
    this.#options.fail(error);
    throw error;
  }

  #tooLarge(primitive: HostPrimitive): Error {
    return this.#options.errors.coded(
      "message_too_large",
      `arguments of ${primitive}() are over the limit of ${this.#options.messageLimit} characters of JSON`,
    );
  }
}
