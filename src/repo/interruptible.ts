import { PalliumError } from "../lib/errors.ts";
import type { RepoObserver } from "./powers.ts";

const INTERRUPTED = 130;

/**
 * Does work that Ctrl-C and SIGTERM end.
 * @throws PalliumError `interrupted` when they did, with the exit status of a shell.
 */
export async function interruptible<T>(
  { onInterrupt }: RepoObserver,
  hint: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const stopListening = onInterrupt(() =>
    interruption.abort(
      new PalliumError("interrupted", "interrupted", { exitCode: INTERRUPTED, hints: [hint] }),
    ),
  );
  try {
    return await work(interruption.signal);
  } finally {
    stopListening();
  }
}
