/** What `parallel` and `pipeline` share: their items, and what becomes of an item that fails. */
import { type DropMessage, ITEM_LIMIT } from "../../src/workflow/engine/protocol.ts";
import type { Contexts, GroupKind } from "./contexts.ts";
import type { ScriptErrors } from "./errors.ts";

export interface GroupPowers {
  readonly contexts: Contexts;
  readonly errors: ScriptErrors;
  drop(message: DropMessage): void;
}

export type Step =
  | { readonly dropped: true }
  | { readonly dropped: false; readonly value: unknown };

/** One use of `parallel` or `pipeline`. */
export class Group {
  readonly #powers: GroupPowers;
  readonly #path: string;
  readonly phase: string;
  #fatal: { readonly error: unknown } | undefined;

  constructor(powers: GroupPowers, kind: GroupKind) {
    this.#powers = powers;
    this.#path = powers.contexts.nextGroup(kind);
    this.phase = powers.contexts.phase;
  }

  /** An error that ends the whole run was seen; nothing more should be started. */
  get failed(): boolean {
    return this.#fatal !== undefined;
  }

  /**
   * Starts `work` at once in a scope of its own and waits for it. What it throws drops the item,
   * under `label`, or fails the group when it is fatal.
   * @param place appended to the path of the group, such as `[3]` or `[3].1`.
   */
  step(place: string, label: string, work: () => unknown): Promise<Step> {
    const { contexts } = this.#powers;
    return contexts.inScope(`${this.#path}${place}`, this.phase, async () => {
      try {
        return { dropped: false, value: await work() };
      } catch (error) {
        this.#fail(label, error);
        return { dropped: true };
      }
    });
  }

  /** Throws the first fatal error; for when all steps have settled. */
  rethrowFatal(): void {
    if (this.#fatal !== undefined) throw this.#fatal.error;
  }

  #fail(label: string, thrown: unknown): void {
    const { contexts, errors, drop } = this.#powers;
    const error = errors.toWire(thrown);
    if (error.fatal === true) this.#fatal ??= { error: thrown };
    else drop({ type: "drop", label, phase: contexts.phase, error });
  }
}

/** Reads the items of a group; holes are `undefined`. Takes arrays and other iterable objects. */
export function readItems(kind: GroupKind, items: unknown): unknown[] {
  const read: unknown[] = [];
  if (Array.isArray(items)) {
    const count = items.length;
    assertItemCount(kind, count);
    for (let index = 0; index < count; index += 1) read.push(items[index]);
    return read;
  }
  if (!isIterable(items)) {
    throw new TypeError(`${kind} items must be an array or another iterable object`);
  }
  for (const item of items) {
    read.push(item);
    assertItemCount(kind, read.length);
  }
  return read;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

function assertItemCount(kind: GroupKind, count: number): void {
  if (count <= ITEM_LIMIT) return;
  throw new RangeError(`${kind} item limit exceeded: ${count} > ${ITEM_LIMIT}`);
}
