import { readFileSync } from "node:fs";

const LOOK_MS = 20;

/**
 * Watches the memory of a process on Linux until `stop` is called, which returns the most that it
 * held at once, in bytes. Not `maxRSS` of the ended process: that counts what its parent held when
 * it was started.
 */
export function watchPeakMemory(pid: number): { stop(): number } {
  let kibibytes = 0;
  const look = () => {
    const status = statusOf(pid);
    kibibytes = Math.max(kibibytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (kibibytes === 0) throw new Error(`the memory of process ${pid} was never seen`);
      return kibibytes * 1024;
    },
  };
}

/** Empty when the process is gone. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
