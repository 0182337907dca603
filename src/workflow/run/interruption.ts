/** Everything that can end a run from outside, as one abort signal: the terminal, other processes, a failed store. */
import { PalliumError } from "../../lib/errors.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver } from "../powers.ts";
import { type ControlAction, watchControls } from "./control.ts";

export interface Interruption {
  readonly signal: AbortSignal;
  /** What was asked for; `stop` outranks `pause`. */
  readonly action: () => ControlAction | undefined;
  /** What the terminal or the operating system asked for, as opposed to another process. */
  readonly bySignal: () => ControlAction | undefined;
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
  let action: ControlAction | undefined;
  let bySignal: ControlAction | undefined;
  let failure: unknown;

  function interrupt(asked: ControlAction): void {
    if (action !== "stop") action = asked;
    const word = action === "pause" ? "paused" : "stopped";
    controller.abort(new PalliumError(`workflow_${word}`, `workflow ${word}`, { fatal: true }));
  }

  const forgetControls = watchControls(database, runId, interrupt);
  const forgetSignals = observer.onInterrupt((asked) => {
    bySignal = asked;
    interrupt(asked);
  });
  return {
    signal: controller.signal,
    action: () => action,
    bySignal: () => bySignal,
    failure: () => failure,
    abandon: (error) => {
      failure ??= error;
      controller.abort(error);
    },
    close: () => {
      forgetControls();
      forgetSignals();
    },
  };
}
