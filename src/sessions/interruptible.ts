/** Work that Ctrl-C and SIGTERM end. */
import { PalliumError } from "../lib/errors.ts";
import type { SessionObserver } from "./powers.ts";

/** Exit status, by what was asked. */
const EXIT_CODES = { pause: 130, stop: 143 } as const;

/**
 * @param work is to give up once its signal is aborted, with the signal's reason.
 * @param hint says what becomes of what was done so far.
 */
export async function interruptible<T>(
  observer: SessionObserver,
  hint: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const stopListening = observer.onInterrupt((asked) => {
    const options = { exitCode: EXIT_CODES[asked], hints: [hint] };
    interruption.abort(new PalliumError("interrupted", "interrupted", options));
  });
  try {
    return await work(interruption.signal);
  } finally {
    stopListening();
  }
}
