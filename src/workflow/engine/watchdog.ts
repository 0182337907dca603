/** Asks a worker for a sign of life, again and again, and says when it has given none for too long. */
import { ProtocolViolation } from "./protocol.ts";

const PING_INTERVAL_MS = 1000;

export interface WatchdogOptions {
  /** Longest silence, in milliseconds. Time in which this process itself stood still is not counted. */
  readonly limitMs: number;
  ping(nonce: number): void;
  onStall(): void;
}

export interface Watchdog {
  /** @throws ProtocolViolation when that was not asked. */
  answered(nonce: number): void;
  stop(): void;
}

/** Starts at once. */
export function createWatchdog({ limitMs, ping, onStall }: WatchdogOptions): Watchdog {
  const interval = Math.max(1, Math.min(PING_INTERVAL_MS, limitMs / 4));
  let nonce = 0;
  let unanswered = false;
  let silentMs = 0;
  let before = performance.now();
  const tick = () => {
    const now = performance.now();
    silentMs += Math.min(now - before, interval);
    before = now;
    if (unanswered) {
      if (silentMs >= limitMs) onStall();
      return;
    }
    silentMs = 0;
    unanswered = true;
    nonce += 1;
    ping(nonce);
  };
  const timer = setInterval(tick, interval);
  return {
    answered: (answer) => {
      if (!unanswered || answer !== nonce) {
        throw new ProtocolViolation("script worker answered a ping that was not sent");
      }
      unanswered = false;
    },
    stop: () => clearInterval(timer),
  };
}
