import { readdirSync, readFileSync } from "node:fs";
import type { ProcessRow, ProcessTable } from "./process-row.ts";

/** Content of a file below /proc; `undefined` when the process is gone or not ours to read. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM") {
      return undefined;
    }
    throw error;
  }
}

function row(pid: number): ProcessRow | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the command's name in parentheses, which may itself hold spaces and ")".
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  return {
    pid,
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: fields[19] ?? "",
    alive: state !== "Z" && state !== "X",
  };
}

function rows(): readonly ProcessRow[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => row(Number(name)))
    .filter((found) => found !== undefined);
}

function startedWith(name: string, value: string): (pid: number) => boolean {
  // latin1 maps every byte to one character, so the entry must be spelled in bytes as well.
  const entry = `\0${Buffer.from(`${name}=${value}`).toString("latin1")}\0`;
  return (pid) => `\0${readProc(`${pid}/environ`) ?? ""}`.includes(entry);
}

/** Processes by /proc. */
export const linuxTable: ProcessTable = { row, rows, startedWith };
