import { readdirSync } from "node:fs";
import { readProc, statFields } from "./proc-files.ts";
import type { ProcessRow, ProcessTable } from "./process-row.ts";

/** How long to wait for a process whose program the kernel is loading: it takes microseconds. */
const LOADING_MS = 50;
/** Looks at newcomers at most, where processes come faster than they can be listed. */
const ROUNDS = 100;

function row(pid: number): ProcessRow | undefined {
  const field = statFields(pid);
  if (field === undefined) return undefined;
  const state = field(3);
  return {
    pid,
    group: Number(field(5)),
    session: Number(field(6)),
    startTime: field(22),
    alive: state !== "Z" && state !== "X",
  };
}

/**
 * Looks at every process, then at those that came meanwhile, until none came: a process that was
 * listed but forked and ended before its turn is succeeded by one of them.
 */
function find(matches: (row: ProcessRow) => boolean): readonly ProcessRow[] {
  const seen = new Set<string>();
  const found: ProcessRow[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const newcomers = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (newcomers.length === 0) break;
    for (const name of newcomers) {
      seen.add(name);
      const candidate = row(Number(name));
      if (candidate !== undefined && matches(candidate)) found.push(candidate);
    }
  }
  return found;
}

/** Whether a process has no environment, rather than none yet: it is being given a new program. */
function isWithoutEnvironment(pid: number): boolean {
  const field = statFields(pid);
  if (field === undefined) return true;
  const [memory, code] = [field(23), field(26)];
  const [environmentStart, environmentEnd] = [field(50), field(51)];
  // The kernel tells where the code is only after it has laid out the environment.
  return memory === "0" || (code !== "0" && environmentStart === environmentEnd);
}

/** What a process was started with, entries ended by NUL; empty for one that is not ours to read. */
function environment(pid: number): string {
  for (let attempt = 0; attempt < LOADING_MS; attempt++) {
    const text = readProc(`${pid}/environ`);
    if (text === undefined) return "";
    if (text !== "" || isWithoutEnvironment(pid)) return text;
    Bun.sleepSync(1);
  }
  return "";
}

function startedWith(name: string): (pid: number) => readonly string[] {
  // latin1 maps every byte to one character, so the name must be spelled in bytes as well.
  const start = Buffer.from(`${name}=`).toString("latin1");
  const decoded = (entry: string) =>
    Buffer.from(entry.slice(start.length), "latin1").toString("utf8");
  return (pid) =>
    environment(pid)
      .split("\0")
      .filter((entry) => entry.startsWith(start))
      .map(decoded);
}

/** Processes by /proc. */
export const linuxTable: ProcessTable = { row, find, startedWith };
