/** What this process takes of the machine's memory. */
import { heapSize } from "bun:jsc";

export interface MemoryUse {
  /** Bytes of the whole process, its workers included. */
  readonly residentBytes: number;
  /** Bytes that the calling thread's own heap holds of them. */
  readonly heapBytes: number;
}

export function memoryUse(): MemoryUse {
  return { residentBytes: process.memoryUsage.rss(), heapBytes: heapSize() };
}

/** Frees what the calling thread no longer refers to; takes milliseconds. */
export function collectGarbage(): void {
  Bun.gc(true);
}
