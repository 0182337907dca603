/** Takes over a command whose runner died: its end when it is on file, itself while it still runs. */
import { existsSync } from "node:fs";
import { watchLeader } from "./leader.ts";
import { createLooks, type Looks } from "./looks.ts";
import { hasFinished, recordedLeader } from "./recorded.ts";
import { finish, goneOrStop, type ProcessEnd, type ProcessRequest } from "./supervisor.ts";

/** Whether there is something in `dir` that `adoptProcess` would take over. */
export async function leftBehind(dir: string, marker: string, looks: Looks): Promise<boolean> {
  // A living process may end between the two looks: then its end is on file at the second.
  if (!existsSync(dir)) return false;
  return (await recordedLeader(dir, marker, looks)) !== undefined || hasFinished(dir);
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
  const pid = await recordedLeader(request.dir, request.marker, request.looks ?? createLooks());
  if (pid === undefined) {
    return hasFinished(request.dir) ? finish(request, undefined, "exited", start) : undefined;
  }
  const leader = watchLeader(pid);
  try {
    const reason = await goneOrStop(leader.gone, request, signal);
    const end = await finish(request, leader, reason, start);
    return reason === "exited" && !hasFinished(request.dir) ? undefined : end;
  } finally {
    leader.stop();
  }
}
