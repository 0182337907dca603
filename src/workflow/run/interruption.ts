/** Everything that can end a run from outside: the terminal and other processes, or a store that fails. */
import { PalliumError } from "../../lib/errors.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver } from "../powers.ts";
import { type CallStops, createCallStops } from "./call-stops.ts";
import { type ControlAction, watchControls } from "./control.ts";
import { createDrain, type Drain } from "./drain.ts";

export interface Interruption {
  /** Aborted when somebody asked for the end: workers are to be ended. */
  readonly signal: AbortSignal;
  /** Aborted when the run can be written down no more: workers are paid for and go on to their end. */
  readonly abandoned: AbortSignal;
  /** What was asked for; `stop` outranks `pause`. */
  readonly action: () => ControlAction | undefined;
  /** What the terminal or the operating system asked for, as opposed to another process. */
  readonly bySignal: () => ControlAction | undefined;
  /** Ends the run, paused, once what is at work has finished. */
  readonly drain: Drain;
  /** Ends single calls. */
  readonly callStops: CallStops;
  /** Whether it was asked for more than once: workers get no more grace. */
  readonly isUrgent: () => boolean;
  /** The error for which the run was abandoned. */
  readonly failure: () => unknown;
  /** Ends the run because it can no longer be written down. */
  readonly abandon: (error: unknown) => void;
  readonly close: () => void;
}

export function watchInterruptions(
  database: Database,
  runId: string,
  observer: RunObserver,
): Interruption {
  const controller = new AbortController();
  const abandonment = new AbortController();
  let action: ControlAction | undefined;
  let bySignal: ControlAction | undefined;
  let signals = 0;
  let failure: unknown;

  function interrupt(asked: ControlAction): void {
    if (action !== "stop") action = asked;
    const word = action === "pause" ? "paused" : "stopped";
    controller.abort(
      new PalliumError(`workflow_${word}`, `workflow ${word}`, {
        fatal: true,
        hints: ["go on with pallium workflow resume; finished calls are kept"],
      }),
    );
  }

  function abandon(error: unknown): void {
    failure ??= error;
    abandonment.abort(error);
  }

  const drain = createDrain(() => interrupt("pause"));
  const callStops = createCallStops();
  const forgetControls = watchControls(database, runId, {
    onRequest: (request) => {
      if (request !== "drain") interrupt(request);
      else if (!drain.requested) {
        observer.notice("pausing once the calls at work have finished; no other begins");
        drain.request();
      }
    },
    onCallStop: callStops.stop,
    onFailure: abandon,
  });
  const forgetSignals = observer.onInterrupt((asked) => {
    signals += 1;
    bySignal = asked;
    interrupt(asked);
    observer.notice(announcement(asked, signals));
  });
  return {
    signal: controller.signal,
    abandoned: abandonment.signal,
    action: () => action,
    bySignal: () => bySignal,
    drain,
    callStops,
    isUrgent: () => signals > 1,
    failure: () => failure,
    abandon,
    close: () => {
      forgetControls();
      forgetSignals();
    },
  };
}

function announcement(asked: ControlAction, signals: number): string {
  if (signals > 1) return "stopping at once";
  return asked === "pause"
    ? "pausing: workers are being ended; once more to stop at once"
    : "stopping: workers are being ended";
}
