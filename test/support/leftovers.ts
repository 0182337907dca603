import { readdirSync, readFileSync } from "node:fs";

/** Pids of processes that were started with this HOME and still run. */
export function runningFrom(home: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`HOME=${home}`));
}

/** Seconds in which a process that was told to end has to. */
const SOON = "5";

/** As `runningFrom`, without those that end by themselves in a moment. */
export async function leftFrom(home: string): Promise<number[]> {
  const waiting = runningFrom(home).map(
    (pid) => Bun.spawn(["timeout", SOON, "tail", `--pid=${pid}`, "-f", "/dev/null"]).exited,
  );
  await Promise.all(waiting);
  return runningFrom(home);
}

/** Empty for a process that is gone, a zombie, or not ours. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
