/** What the records of a repository need, for tests: a clock that stands, and notices that are kept. */
import type { RecordsPowers } from "../../src/repo/records/powers.ts";

export const NOW = "2026-12-02T12:00:00.000Z";

export interface TestRecordsPowers extends RecordsPowers {
  readonly notices: readonly string[];
}

/** @param now where the clock stands. */
export function recordsPowers(now = NOW): TestRecordsPowers {
  const notices: string[] = [];
  return {
    clock: { now: () => new Date(now), iso: () => now, monotonicMs: () => 0 },
    notice: (line) => notices.push(line),
    notices,
  };
}
