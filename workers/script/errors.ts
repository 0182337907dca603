/** Errors between the script and the host: data on the wire, Error objects in the script. */
import type { WireError } from "../../src/workflow/engine/protocol.ts";

const NAME_LIMIT = 200;
const MESSAGE_LIMIT = 64 * 1024;

export interface ScriptPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the position in the script that an error's stack leads to, if any. */
export type Locate = (error: object) => ScriptPosition | undefined;

export class ScriptErrors {
  /** What is known about errors that were made here; scripts cannot forge it. */
  readonly #known = new WeakMap<object, WireError>();
  readonly #locate: Locate;

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  /** An error with a stable code, as every failure of the script API is. */
  coded(code: string, message: string): Error {
    return this.fromWire({ name: "PalliumError", code, message });
  }

  /** @param origin an error made where the failed call was, to know its position. */
  fromWire(wire: WireError, origin?: Error): Error {
    const error = new Error(wire.message);
    for (const [key, value] of Object.entries({ name: wire.name, code: wire.code })) {
      Object.defineProperty(error, key, { value, writable: true, configurable: true });
    }
    this.#known.set(error, { ...wire, ...this.#locate(origin ?? error) });
    return error;
  }

  placeOf(error: Error): ScriptPosition | undefined {
    return this.#locate(error);
  }

  /** Describes anything that was thrown. */
  toWire(thrown: unknown): WireError {
    if (!isObject(thrown)) return scriptError("Error", textOf(thrown));
    return (
      this.#known.get(thrown) ?? {
        ...scriptError(nameOf(thrown), textOf(thrown)),
        ...this.#locate(thrown),
      }
    );
  }
}

function scriptError(name: string, message: string): WireError {
  return { name, code: "script_error", message };
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** The string form, as `Error: boom`; it is up to the script and may throw itself. */
function textOf(thrown: unknown): string {
  try {
    return shorten(String(thrown), MESSAGE_LIMIT);
  } catch {
    return "the script threw a value that has no text";
  }
}

function nameOf(thrown: object): string {
  try {
    const name: unknown = thrown instanceof Error ? thrown.name : "";
    return typeof name === "string" && name !== "" ? shorten(name, NAME_LIMIT) : "Error";
  } catch {
    return "Error";
  }
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}
