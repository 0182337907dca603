import type { Clock } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/sqlite/database.ts";
import type { Ledger } from "./ledger.ts";
import { dropLock, refreshLock } from "./lock-row.ts";

/** Several times within the patience that others have with a holder they cannot see. */
const REFRESH_MS = 20_000;

/**
 * Says from time to time that a lock is still held, until it is released. One that cannot be given
 * back at once, as on a full disk, is given back as soon as that works: others wait for it.
 * @returns what releases it, once.
 */
export function keepLock(
  ledger: Pick<Ledger, "write">,
  token: string,
  clock: Clock,
  everyMs: number = REFRESH_MS,
): () => Promise<void> {
  let next: (tx: Transaction) => unknown = (tx) => refreshLock(tx, token, clock);
  let released: Promise<void> | undefined;
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    const isLast = released !== undefined;
    // One that fails is made up for by the next; whoever relies on the lock checks it.
    ledger.write(next).then(
      () => isLast && stop(),
      () => {},
    );
  }, everyMs);
  timer.unref();
  return () => {
    next = (tx) => dropLock(tx, token);
    released ??= ledger.write(next).then(stop);
    return released;
  };
}
