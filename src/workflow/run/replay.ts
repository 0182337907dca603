/** Finds, for each call of a resumed run, the recorded call that it is. */
import { type CallIdentity, callKey, looseScope } from "./identity.ts";

/** A change in a working tree that outlives the call. */
export interface KeptEdit {
  readonly from: string;
  readonly to: string;
}

/** A call that settled `ok` in an earlier execution. */
export interface SettledCall {
  readonly identity: CallIdentity;
  readonly callId: string;
  /** The answer as text, exactly as the worker gave it. */
  readonly output: string;
  /** Calls whose edits its worker saw. */
  readonly seen: readonly string[];
  readonly kept?: KeptEdit;
  /** The provider's own name of the conversation. */
  readonly session?: string;
}

/** A call that was started and has no end on record: its process may have one. */
export interface OpenCall {
  readonly identity: CallIdentity;
  readonly callId: string;
  readonly provider: string;
  /** Absolute folder that it works on. */
  readonly repo: string;
  readonly startedAt: Date;
  /** What its start set aside for it. */
  readonly costMicros: number;
}

export interface Recorded<Call> {
  /**
   * Takes the record of this call: first by the exact key, then any record not yet taken with the
   * same fingerprint in the same scope without ordinals. Each record is given out once.
   * @param suits says which records may be given out; all of them where it is left out.
   */
  take(identity: CallIdentity, suits?: (call: Call) => boolean): Call | undefined;
  /** Whether there is a record to take for this call. */
  has(identity: CallIdentity, suits?: (call: Call) => boolean): boolean;
  /** Records that nobody took. */
  rest(): readonly Call[];
}

/** @param calls in journal order; of several with the same key the latest is given out first. */
export function createRecorded<Call extends { readonly identity: CallIdentity }>(
  calls: readonly Call[],
): Recorded<Call> {
  const latestFirst = calls.toReversed();
  const byKey = Map.groupBy(latestFirst, ({ identity }) => callKey(identity));
  const byContent = Map.groupBy(latestFirst, ({ identity }) => contentKey(identity));
  const taken = new Set<Call>();
  const isFree = (call: Call) => !taken.has(call);
  const find = (identity: CallIdentity, suits: (call: Call) => boolean = () => true) => {
    const isWanted = (call: Call) => isFree(call) && suits(call);
    return (
      byKey.get(callKey(identity))?.find(isWanted) ??
      byContent.get(contentKey(identity))?.find(isWanted)
    );
  };

  return {
    has: (identity, suits) => find(identity, suits) !== undefined,
    take(identity, suits) {
      const found = find(identity, suits);
      if (found !== undefined) taken.add(found);
      return found;
    },
    rest: () => calls.filter(isFree),
  };
}

function contentKey(identity: CallIdentity): string {
  return `${looseScope(identity.scope)}:${identity.fingerprint}`;
}
