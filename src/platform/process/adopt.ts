/** Takes over a command whose runner died: its end when it is on file, itself while it still runs. */
import { existsSync } from "node:fs";
import { recordedEnd, recordedLeader } from "./recorded.ts";
import { finish, goneOrStop, type ProcessEnd, type ProcessRequest } from "./supervisor.ts";
import { processTable } from "./table.ts";
import { cutFile } from "./wrapper.ts";

const POLL_MS = 20;
/** 128 + SIGHUP, SIGINT, SIGKILL, SIGTERM: such a command was being ended, it did not finish. */
const ENDED_BY_SIGNAL = [129, 130, 137, 143];

/** Whether there is something in `dir` that `adoptProcess` would take over. */
export function leftBehind(dir: string, marker: string): boolean {
  // A living process may end between the two looks: then its end is on file at the second.
  return existsSync(dir) && (recordedLeader(dir, marker) !== undefined || hasFinished(dir));
}

/**
 * Waits for a command that another process started with the same request, until the deadline that is
 * left, and reports its end as `runProcess` would have.
 * @returns `undefined` where it left neither an exit status of its own nor a living process.
 * @throws PalliumError `process_survived`
 */
export async function adoptProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<ProcessEnd | undefined> {
  const start = performance.now();
  const leader = recordedLeader(request.dir, request.marker);
  if (leader === undefined) {
    return hasFinished(request.dir) ? finish(request, undefined, "exited", start) : undefined;
  }
  const watch = watchLeader(leader);
  try {
    const reason = await goneOrStop(watch.gone, request, signal);
    const end = await finish(request, leader, reason, start);
    return reason === "exited" && !hasFinished(request.dir) ? undefined : end;
  } finally {
    watch.stop();
  }
}

function hasFinished(dir: string): boolean {
  const status = recordedEnd(dir);
  if (status === null || ENDED_BY_SIGNAL.includes(status)) return false;
  return status === 0 || !existsSync(cutFile(dir));
}

/** The wrapper is no child of ours, so that its end has to be looked for. */
function watchLeader(leader: number): { readonly gone: Promise<void>; readonly stop: () => void } {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (processTable.row(leader)?.alive !== true) resolve();
  }, POLL_MS);
  return { gone, stop: () => clearInterval(timer) };
}
