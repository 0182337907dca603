import type { Contexts } from "./contexts.ts";

/** The protocol takes 4096 characters at most. */
const NAME_LIMIT = 1000;

type Phase = (name?: unknown, callback?: unknown) => unknown;

/**
 * `phase(name)` moves this scope, and what it starts from now on, into a phase; `phase(name, fn)`
 * does so for `fn` only and returns what it returns.
 */
export function createPhase(contexts: Contexts): Phase {
  return (name, callback) => {
    const phase = phaseName(name);
    if (callback === undefined) return contexts.enterPhase(phase);
    if (typeof callback !== "function") throw new TypeError("phase callback must be a function");
    const hold = contexts.holdPhase(phase);
    try {
      const result: unknown = contexts.inPhase(hold, () => callback());
      if (!(result instanceof Promise)) {
        hold.release();
        return result;
      }
      return result.finally(() => hold.release());
    } catch (error) {
      hold.release();
      throw error;
    }
  };
}

function phaseName(given: unknown): string {
  if (given === undefined || given === null) return "default";
  if (typeof given !== "string" && typeof given !== "number") {
    throw new TypeError("phase name must be a string");
  }
  const name = String(given).trim();
  if (name.length > NAME_LIMIT) {
    throw new RangeError(`phase name is longer than ${NAME_LIMIT} characters`);
  }
  return name === "" ? "default" : name;
}
