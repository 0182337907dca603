/** Lets calls wait for what a person decides: another process leaves it in the control table. */
import type { Database } from "../../platform/sqlite/database.ts";
import { watchWrites } from "./control.ts";
import { handVerdict, readGateControls } from "./gate-records.ts";

export interface GateDecisions {
  /**
   * Resolves with the verdict on the gate of a call, as an agent's answer would be, or with
   * `undefined` where there will be none: the signal was aborted, or nobody may wait any more.
   */
  verdict(callId: string, signal: AbortSignal): Promise<string | undefined>;
  /** The commands that decide a gate. */
  readonly commands: (name: string) => readonly string[];
  /** Nobody may wait any more. */
  close(): void;
}

export interface GateDecisionsOptions {
  readonly database: Database;
  readonly runId: string;
  readonly commands: (name: string) => readonly string[];
  /** Told when the store cannot be read any more; nobody waits then. */
  readonly onFailure: (error: unknown) => void;
}

type Waiting = (verdict: string | undefined) => void;

/** Looks at the store only while somebody waits, once for all of them. */
export function createGateDecisions(options: GateDecisionsOptions): GateDecisions {
  const { database, runId } = options;
  const waiting = new Map<string, Waiting>();
  let forget = () => {};
  let closed = false;

  function look(): void {
    const last = new Map(
      readGateControls(database, runId).map((control) => [control.call_id, control]),
    );
    for (const [callId, control] of last) {
      if (control.action !== "reopen") waiting.get(callId)?.(handVerdict(control));
    }
  }

  function close(): void {
    closed = true;
    for (const done of waiting.values()) done(undefined);
  }

  function leave(callId: string): void {
    waiting.delete(callId);
    if (waiting.size === 0) forget();
  }

  return {
    commands: options.commands,
    close,
    verdict: async (callId, signal) => {
      if (closed || signal.aborted) return undefined;
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const onAbort = () => resolve(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      if (waiting.size > 0) forget();
      waiting.set(callId, resolve);
      forget = watchWrites(database, look, (error) => {
        options.onFailure(error);
        close();
      });
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
        leave(callId);
      }
    },
  };
}
