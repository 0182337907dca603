/** Short pieces of work that one process at a time may do in a repository. */
import type { Clock } from "../../../platform/clock.ts";
import { sleep } from "../../../platform/sleep.ts";
import { keepLock } from "./keep-lock.ts";
import type { Ledger } from "./ledger.ts";
import { type LockClaim, lockHolder, takeLock } from "./lock-row.ts";

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

export type MutexClaim = LockClaim & {
  readonly clock: Clock;
  /** Its abort ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
};

/**
 * Runs `work` while nobody else does work of that name in the repository, waiting for as long as
 * somebody does and lives.
 */
export async function withRepoMutex<T>(
  ledger: Ledger,
  claim: MutexClaim,
  work: () => Promise<T>,
): Promise<T> {
  const token = await takeTurn(ledger, claim);
  const release = keepLock(ledger, token, claim.clock);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function takeTurn(ledger: Ledger, { clock, signal, ...claim }: MutexClaim): Promise<string> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    if (lockHolder(ledger, claim.name, clock) === undefined) {
      const taken = await ledger.write((tx) => takeLock(tx, claim, clock));
      if (typeof taken === "string") return taken;
    }
    await sleep(pause * (0.5 + Math.random() / 2), signal);
  }
}
