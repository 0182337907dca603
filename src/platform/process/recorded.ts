import { readFileSync } from "node:fs";
import { endProcesses } from "./ending.ts";
import { MARKER_VARIABLE } from "./marker.ts";
import { processTable } from "./table.ts";
import { exitFile, pidFile } from "./wrapper.ts";

/** What a process that outlived its runner gets between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

/** The number a file of the wrapper holds; `null` when it is missing or not yet whole. */
function recordedNumber(path: string): number | null {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  return /^\d+\n$/.test(text) ? Number(text) : null;
}

/** The exit status on file in a call's directory, 128 + n for signal n; `null` when there is none. */
export function recordedEnd(dir: string): number | null {
  return recordedNumber(exitFile(dir));
}

/**
 * Ends what still runs of a call whose runner died, found by the pid on file in `dir` and by its
 * marker. The pid alone proves nothing, it may belong to somebody else by now: its group is ended
 * only when one of that group carries the marker.
 */
export async function endRecorded(dir: string, marker: string): Promise<"nothing" | "ended"> {
  const leader = recordedNumber(pidFile(dir));
  const marked = processTable.startedWith(MARKER_VARIABLE, marker);
  const group = processTable.find((row) => row.group === leader && marked(row.pid));
  const target = leader !== null && group.length > 0 ? { leader, marker } : { marker };
  return (await endProcesses(target, { graceMs: GRACE_MS })) ? "ended" : "nothing";
}
