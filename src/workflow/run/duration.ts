/** The wall clock of one execution. */
import { PalliumError } from "../../lib/errors.ts";

const CODE = "max_duration";

/** Calls `end` with the reason once the time is over; returns how to stop waiting for it. */
export function limitDuration(
  seconds: number | undefined,
  end: (reason: PalliumError) => void,
): () => void {
  if (seconds === undefined) return () => {};
  const reason = new PalliumError(CODE, `workflow exceeded max duration: ${seconds} s`, {
    fatal: true,
    hints: ["finished calls are kept; resume the run with a longer --max-duration"],
  });
  const timer = setTimeout(() => end(reason), seconds * 1000);
  return () => clearTimeout(timer);
}

/** The reason, where it was this that aborted a signal. */
export function overTime({ reason }: AbortSignal): PalliumError | undefined {
  return reason instanceof PalliumError && reason.code === CODE ? reason : undefined;
}
