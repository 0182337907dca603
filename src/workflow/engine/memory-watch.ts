/**
 * Watches how much memory a script takes. Only the whole process can be measured, so what the host
 * holds itself, such as answers that wait to be written down, is taken off again.
 */
import { collectGarbage, memoryUse } from "../../platform/memory.ts";

const POLL_MS = 25;
/** Garbage is asked back at half of the limit, and after every further eighth. */
const RELIEF_START = 1 / 2;
const RELIEF_STEP = 1 / 8;

export interface MemoryWatchOptions {
  /** Most bytes over what the process took when the watch was made. */
  readonly limitBytes: number;
  /** Bytes that may come to it just now from what is not the script's. */
  readonly sparedBytes: () => number;
  /** Asks the worker to free what it no longer needs; a busy one does so later, or never. */
  onPressure(): void;
  onExceeded(): void;
}

export interface MemoryWatch {
  stop(): void;
}

/** Starts at once; to be made before the worker is. */
export function createMemoryWatch(options: MemoryWatchOptions): MemoryWatch {
  const { limitBytes, sparedBytes } = options;
  const before = memoryUse();
  let relievedAt = 0;

  function growth(): number {
    const now = memoryUse();
    const host = Math.max(0, now.heapBytes - before.heapBytes);
    return now.residentBytes - before.residentBytes - host - sparedBytes();
  }

  function poll(): void {
    const grown = growth();
    if (grown > limitBytes) {
      collectGarbage();
      if (growth() > limitBytes) options.onExceeded();
      return;
    }
    relievedAt = Math.min(relievedAt, grown);
    if (grown < limitBytes * RELIEF_START || grown < relievedAt + limitBytes * RELIEF_STEP) return;
    relievedAt = grown;
    options.onPressure();
  }

  const timer = setInterval(poll, POLL_MS);
  return { stop: () => clearInterval(timer) };
}
