import { readFileSync } from "node:fs";
import { constants } from "node:os";
import type { EndingSignal, SignalSource } from "../cli/interrupts.ts";

const SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const IGNORED_MASK = /^SigIgn:\s*([0-9a-f]+)$/m;

/** The set of signals that this process was started to ignore, as a bit mask; empty where the system does not tell. */
function ignoredMask(): bigint {
  if (process.platform !== "linux") return 0n;
  const mask = IGNORED_MASK.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return mask === undefined ? 0n : BigInt(`0x${mask}`);
}

/**
 * The signals that end this process. Those it was started to ignore, as `nohup` and shells do for
 * work in the background, stay ignored.
 */
export function processSignals(): SignalSource {
  return {
    subscribe: (onSignal) => {
      const ignored = ignoredMask();
      const heard = SIGNALS.filter((signal) => {
        return ((ignored >> BigInt(constants.signals[signal] - 1)) & 1n) === 0n;
      });
      for (const signal of heard) process.on(signal, onSignal);
      return () => {
        for (const signal of heard) process.off(signal, onSignal);
      };
    },
  };
}
