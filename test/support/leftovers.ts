import { readdirSync, readFileSync } from "node:fs";

/** Pids of processes that were started with this HOME and still run. */
export function runningFrom(home: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`HOME=${home}`));
}

/** Empty for a process that is gone, a zombie, or not ours. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
