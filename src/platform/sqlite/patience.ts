import { databaseLocked, isBusy, isDamage } from "./failure.ts";

const LONGEST_PAUSE_MS = 25;
const MERGE_MS = 50;

/**
 * Repeats a synchronous attempt while another process is in its way. It waits on timers, never
 * inside SQLite, so that the event loop goes on.
 * @param patienceMs how long to go on trying; then `database_locked`.
 */
export async function untilUnlocked<T>(
  path: string,
  patienceMs: number,
  attempt: () => T,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw databaseLocked(path, error);
    }
    await Bun.sleep(jittered(Math.min(2 ** attempts, LONGEST_PAUSE_MS)));
  }
}

/**
 * Looks a second time where a file seemed damaged: read without a lock, a sound one can seem so
 * while another process merges its log into it.
 */
export async function unlessTorn<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  await Bun.sleep(MERGE_MS);
  return look();
}

/** Half of it to all of it, so that processes that met once do not meet for ever. */
function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
