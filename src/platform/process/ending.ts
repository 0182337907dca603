import { PalliumError } from "../../lib/errors.ts";
import { systemCode } from "../file-error.ts";
import { hasEnded, type Leader } from "./leader.ts";
import { createLooks, type LivingProcess, type Looks } from "./looks.ts";
import { settlesWithin } from "./settles-within.ts";

/** After this long under SIGKILL a process hangs in the kernel and waiting is of no more use. */
const KILL_TIMEOUT_MS = 10_000;
/** Most that processes get between SIGTERM and SIGKILL when the command that left them has ended. */
const STRAY_GRACE_MS = 500;
const FIRST_POLL_MS = 2;
const LAST_POLL_MS = 50;

/** Which processes to end: the two conditions are joined by "or". */
export interface ProcessTarget {
  /** The command itself, with all processes of the group and the session it leads or led. */
  readonly leader?: Leader | undefined;
  /** All processes with this marker in their environment, wherever they went. */
  readonly marker?: string;
}

export interface EndOptions {
  /** Milliseconds the leader gets between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Asked while the grace lasts; true ends it at once. */
  readonly hurry?: () => boolean;
  /** Shared with what is ended at the same time. */
  readonly looks?: Looks;
}

type Living = () => Promise<readonly LivingProcess[]>;

/**
 * Ends all processes of a target: SIGTERM, grace, SIGKILL, and waits until none lives. The group of
 * a living leader has its SIGTERM before anything is looked at. True when there were any.
 * @throws PalliumError `process_survived` when some cannot be ended.
 */
export async function endProcesses(target: ProcessTarget, options: EndOptions): Promise<boolean> {
  const { leader, marker } = target;
  const { graceMs, hurry = () => false, looks = createLooks() } = options;
  const living: Living = () => looks().then((rows) => ofTarget(rows, leader, marker));
  const led = leader !== undefined && !hasEnded(leader);
  if (led) await endLeader(leader, living, graceMs, hurry);
  let rows = await living();
  if (rows.length === 0) return led;
  if (leader === undefined || hasEnded(leader)) {
    // Left by the leader, or just being forked when the signal came, or spared by their parent's trap.
    signalAll(rows, leader, "SIGTERM");
    rows = await pollWhile(living, Math.min(graceMs, STRAY_GRACE_MS), () => !hurry());
  }
  if (rows.length > 0) {
    rows = await pollWhile(living, KILL_TIMEOUT_MS, (left) => {
      signalAll(left, leader, "SIGKILL");
      return true;
    });
  }
  if (rows.length === 0) return true;
  const survivors = rows.map((row) => row.pid);
  throw new PalliumError("process_survived", `could not end processes ${survivors.join(", ")}`, {
    hints: [
      "they run as another user or hang in the kernel; look at them with: ps -o pid,stat,args",
    ],
  });
}

/** Waits until the leader has ended, its grace is over, or there is a hurry. */
async function endLeader(
  leader: Leader,
  living: Living,
  graceMs: number,
  hurry: () => boolean,
): Promise<void> {
  const deadline = performance.now() + graceMs;
  send(-leader.pid, "SIGTERM");
  for (const row of await living()) if (row.group !== leader.pid) send(row.pid, "SIGTERM");
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, LAST_POLL_MS)) {
    const left = deadline - performance.now();
    if (hasEnded(leader) || hurry() || left <= 0) return;
    await settlesWithin(Math.min(pause, left), leader.gone);
  }
}

function ofTarget(
  rows: readonly LivingProcess[],
  leader: Leader | undefined,
  marker: string | undefined,
): readonly LivingProcess[] {
  // A pid is given away again only when nobody is left in the group and the session named after it.
  const isReused =
    leader !== undefined && hasEnded(leader) && rows.some((row) => row.pid === leader.pid);
  const pid = isReused ? undefined : leader?.pid;
  return rows.filter(
    (row) =>
      (pid !== undefined && (row.group === pid || row.session === pid)) ||
      (marker !== undefined && row.markers.includes(marker)),
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
  rows: readonly LivingProcess[],
  leader: Leader | undefined,
  signal: NodeJS.Signals,
): void {
  const inGroup = (row: LivingProcess) => row.group === leader?.pid;
  if (leader !== undefined && rows.some(inGroup)) send(-leader.pid, signal);
  for (const row of rows) if (!inGroup(row)) send(row.pid, signal);
}

/** Polls until nothing lives, `wait` says false of what does, or the time is over. @returns what lives. */
async function pollWhile(
  living: Living,
  timeoutMs: number,
  wait: (rows: readonly LivingProcess[]) => boolean,
): Promise<readonly LivingProcess[]> {
  const start = performance.now();
  let pause = FIRST_POLL_MS;
  for (;;) {
    const rows = await living();
    const left = timeoutMs - (performance.now() - start);
    if (rows.length === 0 || !wait(rows) || left <= 0) return rows;
    await Bun.sleep(Math.min(pause, left));
    pause = Math.min(pause * 2, LAST_POLL_MS);
  }
}
