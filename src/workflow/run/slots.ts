/** Bounds how many calls are at work: all together, and those of one provider. */
import { usageError } from "../../lib/errors.ts";
import { createSemaphore, type Semaphore } from "../../lib/semaphore.ts";

export interface Slots {
  /** Resolves with the function that gives the slot back; first come, first served. */
  acquire(provider: string): Promise<() => void>;
}

/** A call waits for its provider before it takes a slot of the run, so that it holds up no other's. */
export function createSlots(total: number, perProvider: ReadonlyMap<string, number>): Slots {
  const all = createSemaphore(total);
  const limited = new Map<string, Semaphore>();
  for (const [provider, slots] of perProvider) limited.set(provider, createSemaphore(slots));
  return {
    async acquire(provider) {
      const releaseProvider = await limited.get(provider)?.acquire();
      const releaseRun = await all.acquire();
      return () => {
        releaseRun();
        releaseProvider?.();
      };
    },
  };
}

/**
 * Reads `codex=4,claude=2`; empty or absent limits no provider.
 * @throws PalliumError `usage`
 */
export function parseProviderConcurrency(text: string | undefined): ReadonlyMap<string, number> {
  const entries = (text ?? "").split(",").filter((entry) => entry.trim() !== "");
  return new Map(
    entries.map((entry) => {
      const [, name = "", slots = ""] = /^\s*([^=\s]+)\s*=\s*([1-9]\d{0,5})\s*$/.exec(entry) ?? [];
      if (name === "") {
        throw usageError(
          `invalid provider concurrency "${entry.trim()}"`,
          "name providers and the most agents of each at once, such as codex=4,claude=2",
        );
      }
      return [name, Number(slots)] as const;
    }),
  );
}
