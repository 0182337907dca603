/** Finds, for each call of a resumed run, the recorded call that it is. */
import { type CallIdentity, callKey, looseScope } from "./identity.ts";

/** A call that settled `ok` in an earlier execution. */
export interface SettledCall {
  readonly identity: CallIdentity;
  readonly callId: string;
  /** The answer as text, exactly as the worker gave it. */
  readonly output: string;
}

/** A call that was started and has no end on record: its process may have one. */
export interface OpenCall {
  readonly identity: CallIdentity;
  readonly callId: string;
  readonly startedAt: Date;
  /** What its start set aside for it. */
  readonly costMicros: number;
}

export interface Recorded<Call> {
  /**
   * Takes the record of this call: first by the exact key, then any record not yet taken with the
   * same fingerprint in the same scope without ordinals. Each record is given out once.
   */
  take(identity: CallIdentity): Call | undefined;
  /** Records that nobody took. */
  rest(): readonly Call[];
}

/** @param calls in journal order; of two with the same key the later one counts. */
export function createRecorded<Call extends { readonly identity: CallIdentity }>(
  calls: readonly Call[],
): Recorded<Call> {
  const byKey = new Map<string, Call>();
  for (const call of calls) byKey.set(callKey(call.identity), call);
  const byContent = new Map<string, Call[]>();
  for (const call of byKey.values()) {
    const content = contentKey(call.identity);
    const group = byContent.get(content);
    if (group === undefined) byContent.set(content, [call]);
    else group.push(call);
  }
  const taken = new Set<Call>();

  return {
    take(identity) {
      const exact = byKey.get(callKey(identity));
      const found =
        exact !== undefined && !taken.has(exact)
          ? exact
          : byContent.get(contentKey(identity))?.find((call) => !taken.has(call));
      if (found !== undefined) taken.add(found);
      return found;
    },
    rest: () => calls.filter((call) => !taken.has(call)),
  };
}

function contentKey(identity: CallIdentity): string {
  return `${looseScope(identity.scope)}:${identity.fingerprint}`;
}
