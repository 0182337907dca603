/** Bounds how many calls are at work: all together, and those of one provider. */
import { usageError } from "../../lib/errors.ts";
import { createSemaphore, type Semaphore } from "../../lib/semaphore.ts";

export interface Slots {
  /** First come, first served. */
  acquire(provider: string): Promise<Slot>;
}

/** One call's place among those at work. */
export interface Slot {
  readonly provider: string;
  /**
   * Leaves the place to others until the wait is over, and takes one again before any call that has
   * not begun.
   * @returns whether there is one; there is none where the signal was aborted meanwhile.
   */
  leaveDuring(wait: () => Promise<void>, signal: AbortSignal): Promise<boolean>;
  /** Gives the place back for good. */
  release(): void;
}

/** A call waits for its provider before it takes a slot of the run, so that it holds up no other's. */
export function createSlots(total: number, perProvider: ReadonlyMap<string, number>): Slots {
  const all = createSemaphore(total);
  const limited = new Map<string, Semaphore>();
  for (const [provider, slots] of perProvider) limited.set(provider, createSemaphore(slots));
  async function take(provider: string, returning: boolean): Promise<() => void> {
    const releaseProvider = await limited.get(provider)?.acquire(returning);
    const releaseRun = await all.acquire(returning);
    return () => {
      releaseRun();
      releaseProvider?.();
    };
  }
  return {
    async acquire(provider) {
      let release = await take(provider, false);
      return {
        provider,
        async leaveDuring(wait, signal) {
          release();
          await wait();
          if (signal.aborted) return false;
          const taking = take(provider, true);
          if (await comesBefore(taking, signal)) {
            release = await taking;
            return true;
          }
          void taking.then((giveBack) => giveBack());
          return false;
        },
        release: () => release(),
      };
    },
  };
}

/** Whether something comes about before the signal is aborted. */
function comesBefore(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(false);
    signal.addEventListener("abort", onAbort, { once: true });
    void work.then(() => {
      signal.removeEventListener("abort", onAbort);
      resolve(true);
    });
  });
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
