import { PalliumError } from "../../lib/errors.ts";
import { systemCode } from "../file-error.ts";
import { MARKER_VARIABLE } from "./marker.ts";
import type { ProcessRow } from "./process-row.ts";
import { processTable } from "./table.ts";

/** After this long under SIGKILL a process hangs in the kernel and waiting is of no more use. */
const KILL_TIMEOUT_MS = 10_000;
/** Most that processes get between SIGTERM and SIGKILL when the command that left them has ended. */
const STRAY_GRACE_MS = 500;
const FIRST_POLL_MS = 2;
const LAST_POLL_MS = 50;

/** Which processes to end: the two conditions are joined by "or". */
export interface ProcessTarget {
  /** The command itself, with all processes of the group and the session it leads or led. */
  readonly leader?: number;
  /** All processes with this marker in their environment, wherever they went. */
  readonly marker?: string;
}

export interface EndOptions {
  /** Milliseconds the leader gets between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Asked while the grace lasts; true ends it at once. */
  readonly hurry?: () => boolean;
}

function living(target: ProcessTarget): readonly ProcessRow[] {
  const { leader, marker } = target;
  const marked =
    marker === undefined ? () => false : processTable.startedWith(MARKER_VARIABLE, marker);
  return processTable.find(
    (row) =>
      row.alive &&
      row.pid !== process.pid &&
      (row.group === leader || row.session === leader || marked(row.pid)),
  );
}

/** Sends a signal; who is gone already, or is not ours to signal, shows when the end is verified. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Signals the group as one, so that a child forked this moment gets it too, then the others. */
function signalAll(
  rows: readonly ProcessRow[],
  leader: number | undefined,
  signal: NodeJS.Signals,
) {
  const inGroup = (row: ProcessRow) => row.group === leader;
  if (leader !== undefined && rows.some(inGroup)) send(-leader, signal);
  for (const row of rows) if (!inGroup(row)) send(row.pid, signal);
}

/** Polls until nothing lives, `wait` says false of what does, or the time is over. */
async function pollWhile(
  target: ProcessTarget,
  timeoutMs: number,
  wait: (rows: readonly ProcessRow[]) => boolean,
): Promise<void> {
  const start = performance.now();
  let pause = FIRST_POLL_MS;
  for (;;) {
    const rows = living(target);
    const left = timeoutMs - (performance.now() - start);
    if (rows.length === 0 || !wait(rows) || left <= 0) return;
    await Bun.sleep(Math.min(pause, left));
    pause = Math.min(pause * 2, LAST_POLL_MS);
  }
}

/**
 * Ends all processes of a target: SIGTERM, grace, SIGKILL, and waits until none lives. True when
 * there were any.
 * @throws PalliumError `process_survived` when some cannot be ended.
 */
export async function endProcesses(target: ProcessTarget, options: EndOptions): Promise<boolean> {
  const { leader } = target;
  const { graceMs, hurry = () => false } = options;
  const leads = (rows: readonly ProcessRow[]) => rows.some((row) => row.pid === leader);

  const found = living(target);
  if (found.length === 0) return false;
  if (leads(found)) {
    signalAll(found, leader, "SIGTERM");
    await pollWhile(target, graceMs, (rows) => leads(rows) && !hurry());
  }
  // A process that was just being forked may have missed the signal, or its parent's trap took it.
  const left = living(target);
  if (!leads(left)) {
    signalAll(left, leader, "SIGTERM");
    await pollWhile(target, Math.min(graceMs, STRAY_GRACE_MS), () => !hurry());
  }
  await pollWhile(target, KILL_TIMEOUT_MS, (rows) => {
    signalAll(rows, leader, "SIGKILL");
    return true;
  });
  const survivors = living(target).map((row) => row.pid);
  if (survivors.length === 0) return true;
  throw new PalliumError("process_survived", `could not end processes ${survivors.join(", ")}`, {
    hints: [
      "they run as another user or hang in the kernel; look at them with: ps -o pid,stat,args",
    ],
  });
}
