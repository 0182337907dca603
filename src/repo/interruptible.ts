import { PalliumError } from "../lib/errors.ts";
import type { Git } from "../platform/git/runner.ts";
import type { RepoObserver } from "./powers.ts";

/** Exit status, by what was asked. */
const EXIT_CODES = { pause: 130, stop: 143 } as const;

/**
 * Does work that Ctrl-C and SIGTERM end. Its git has a process group of its own, which no terminal
 * ends: with these powers it does not outlive the work.
 * @throws PalliumError `interrupted` when they did, with the exit status of a shell.
 */
export async function interruptible<Powers extends { readonly git: Git }, T>(
  powers: Powers,
  { onInterrupt }: Pick<RepoObserver, "onInterrupt">,
  hint: string,
  work: (powers: Powers, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const stopListening = onInterrupt((asked) =>
    interruption.abort(
      new PalliumError("interrupted", "interrupted", {
        exitCode: EXIT_CODES[asked],
        hints: [hint],
      }),
    ),
  );
  const { signal } = interruption;
  const git = powers.git.endedBy(signal);
  try {
    return await work({ ...powers, git }, signal);
  } finally {
    // The first git that ended has ended the work; others may have run beside it.
    if (signal.aborted) await git.idle();
    stopListening();
  }
}
