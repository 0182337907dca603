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
 * The pid on file in `dir` where that process, or one of its group, still lives and is ours. The pid
 * alone proves nothing, it may belong to somebody else by now: one of the group must carry the marker.
 */
export function recordedLeader(dir: string, marker: string): number | undefined {
  const leader = recordedNumber(pidFile(dir));
  if (leader === null) return undefined;
  const marked = processTable.startedWith(MARKER_VARIABLE, marker);
  const group = processTable.find((row) => row.group === leader && row.alive && marked(row.pid));
  return group.length > 0 ? leader : undefined;
}

/** Ends what still runs of a call whose runner died, found by the pid on file and by its marker. */
export async function endRecorded(dir: string, marker: string): Promise<"nothing" | "ended"> {
  const leader = recordedLeader(dir, marker);
  const target = leader === undefined ? { marker } : { leader, marker };
  return (await endProcesses(target, { graceMs: GRACE_MS })) ? "ended" : "nothing";
}
