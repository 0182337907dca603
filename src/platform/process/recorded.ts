import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileError, systemCode } from "../file-error.ts";
import { endProcesses } from "./ending.ts";
import { watchLeader } from "./leader.ts";
import type { Looks } from "./looks.ts";
import { cutFile, exitFile, pidFile } from "./wrapper.ts";

/** What a process that outlived its runner gets between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

/** 128 + SIGHUP, SIGINT, SIGKILL, SIGTERM: such a command was being ended, it did not finish. */
const ENDED_BY_SIGNAL = [129, 130, 137, 143];

/** What reading a file of the wrapper meets where the command took the call's directory apart. */
const NO_RECORD = ["ENOENT", "ENOTDIR", "EISDIR"];

/** The number a file of the wrapper holds; `null` when it is missing or not yet whole. */
function recordedNumber(path: string): number | null {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    if (NO_RECORD.includes(systemCode(error) ?? "")) return null;
    throw error;
  }
  return /^\d+\n$/.test(text) ? Number(text) : null;
}

/** The exit status on file in a call's directory, 128 + n for signal n; `null` when there is none. */
export function recordedEnd(dir: string): number | null {
  return recordedNumber(exitFile(dir));
}

/**
 * Whether a command has finished: it left a status before anybody set out to end it. One that comes
 * later, 0 included, may be its answer to SIGTERM.
 */
export function hasFinished(dir: string): boolean {
  const status = recordedEnd(dir);
  return status !== null && !ENDED_BY_SIGNAL.includes(status) && !existsSync(cutFile(dir));
}

/**
 * Sets out to end a command that may end by itself this very moment: what it leaves after this is not
 * taken for its own.
 * @returns false where it has left its status already, which stands.
 * @throws PalliumError `disk_full`, `permission_denied` or `io_failed`; the command is to be ended all the same.
 */
export function cut(dir: string): boolean {
  if (recordedEnd(dir) !== null) return false;
  disown(dir);
  if (recordedEnd(dir) === null) return true;
  rmSync(cutFile(dir));
  return false;
}

/**
 * Has nobody take for an answer what a command has left, or will leave, in its call's directory.
 * @throws PalliumError `disk_full`, `permission_denied` or `io_failed`.
 */
export function disown(dir: string): void {
  try {
    // A name is made at once, where a file may take milliseconds: too long for a hundred calls.
    linkSync(pidFile(dir), cutFile(dir));
    return;
  } catch {
    // No pid on file yet, no links in this file system, or cut already: writing works or says why not.
  }
  try {
    writeFileSync(cutFile(dir), "", { mode: 0o600 });
  } catch (error) {
    // Without the call's directory nobody can take its status for anything.
    if (!NO_RECORD.includes(systemCode(error) ?? "")) throw fileError(error, "write", cutFile(dir));
  }
}

/**
 * The pid on file in `dir` where that process, or one of its group, still lives and is ours. The pid
 * alone proves nothing, it may belong to somebody else by now: one of the group must carry the marker.
 * A wrapper that was started this moment has no pid on file yet and is found by the marker.
 */
export async function recordedLeader(
  dir: string,
  marker: string,
  looks: Looks,
): Promise<number | undefined> {
  const processes = await looks();
  const leader = recordedNumber(pidFile(dir));
  const found = processes.find(
    ({ pid, group, markers }) => group === (leader ?? pid) && markers.includes(marker),
  );
  if (found === undefined) return undefined;
  return leader ?? recordedNumber(pidFile(dir)) ?? found.pid;
}

/**
 * Ends what still runs of a call whose runner died, found by the pid on file and by its marker.
 * @param looks shared with what is ended at the same time.
 */
export async function endRecorded(
  dir: string,
  marker: string,
  looks: Looks,
): Promise<"nothing" | "ended"> {
  const pid = await recordedLeader(dir, marker, looks);
  const leader = pid === undefined ? undefined : watchLeader(pid);
  let ended = false;
  try {
    if (leader !== undefined) cut(dir);
  } finally {
    ended = await endProcesses({ leader, marker }, { graceMs: GRACE_MS, looks });
    leader?.stop();
  }
  return ended ? "ended" : "nothing";
}
