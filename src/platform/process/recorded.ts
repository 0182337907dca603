import { readFileSync, writeFileSync } from "node:fs";
import { fileError, systemCode } from "../file-error.ts";
import { endProcesses } from "./ending.ts";
import { MARKER_VARIABLE } from "./marker.ts";
import type { ProcessRow } from "./process-row.ts";
import { processTable } from "./table.ts";
import { cutFile, exitFile, pidFile } from "./wrapper.ts";

/** What a process that outlived its runner gets between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

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
 * Notes that a command is about to be ended, so that a status it leaves then is not taken for its own.
 * @throws PalliumError `disk_full`, `permission_denied` or `io_failed`; the command is to be ended all the same.
 */
export function recordCut(dir: string): void {
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
export function recordedLeader(dir: string, marker: string): number | undefined {
  const marked = processTable.startedWith(MARKER_VARIABLE, marker);
  const leader = recordedNumber(pidFile(dir));
  const isLed = (row: ProcessRow) => row.group === (leader ?? row.pid);
  const [found] = processTable.find((row) => row.alive && isLed(row) && marked(row.pid));
  if (found === undefined) return undefined;
  return leader ?? recordedNumber(pidFile(dir)) ?? found.pid;
}

/** Ends what still runs of a call whose runner died, found by the pid on file and by its marker. */
export async function endRecorded(dir: string, marker: string): Promise<"nothing" | "ended"> {
  const leader = recordedLeader(dir, marker);
  const target = leader === undefined ? { marker } : { leader, marker };
  let ended = false;
  try {
    if (leader !== undefined && recordedEnd(dir) === null) recordCut(dir);
  } finally {
    ended = await endProcesses(target, { graceMs: GRACE_MS });
  }
  return ended ? "ended" : "nothing";
}
