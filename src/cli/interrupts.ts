import type { Interrupts } from "./command.ts";

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Where signals come from. While nobody is subscribed they do what the system makes them do: end the process. */
export interface SignalSource {
  /** Calls back for every signal until the returned function is called. */
  subscribe(onSignal: (signal: EndingSignal) => void): () => void;
}

/** The first SIGINT asks for a pause; any later signal, and SIGTERM or SIGHUP at once, for a stop. */
export function createInterrupts(signals: SignalSource): Interrupts {
  const listeners = new Set<{ readonly notify: (kind: "pause" | "stop") => void }>();
  let unsubscribe: (() => void) | undefined;
  let interrupted = false;

  function deliver(signal: EndingSignal): void {
    const kind = signal === "SIGINT" && !interrupted ? "pause" : "stop";
    interrupted = true;
    for (const listener of [...listeners]) listener.notify(kind);
  }

  return {
    listen: (onInterrupt) => {
      const listener = { notify: onInterrupt };
      listeners.add(listener);
      unsubscribe ??= signals.subscribe(deliver);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        unsubscribe?.();
        unsubscribe = undefined;
      };
    },
  };
}
