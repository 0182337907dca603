/** Ends single calls at work on request, where the run goes on. */
import { PalliumError } from "../../lib/errors.ts";

export interface CallStops {
  /** Has a call ended; nothing where it is not at work. */
  stop(callId: string): void;
  /** Does the work of a call, with a signal that is aborted when it is to end. */
  during<T>(callId: string, work: (stopped: AbortSignal) => Promise<T>): Promise<T>;
}

export function createCallStops(): CallStops {
  const atWork = new Map<string, AbortController>();
  return {
    stop: (callId) => {
      atWork.get(callId)?.abort(
        new PalliumError("agent_stopped", "stopped by pallium workflow stop --agent", {
          hints: ["resume the run to have it done after all"],
        }),
      );
    },
    async during(callId, work) {
      const controller = new AbortController();
      atWork.set(callId, controller);
      try {
        return await work(controller.signal);
      } finally {
        atWork.delete(callId);
      }
    },
  };
}
