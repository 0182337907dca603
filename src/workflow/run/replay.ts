/** Finds, for each call of a resumed run, the finished call it may take the value of. */
import { type CallIdentity, callKey, looseScope } from "./identity.ts";

/** A call that settled `ok` in an earlier execution. */
export interface SettledCall {
  readonly identity: CallIdentity;
  readonly callId: string;
  /** The answer as text, exactly as the worker gave it. */
  readonly output: string;
}

export interface Replay {
  /**
   * Takes the record for this call: first by the exact key, then any record not yet taken with the
   * same fingerprint in the same scope without ordinals. Each record is given out once.
   */
  take(identity: CallIdentity): SettledCall | undefined;
}

/** @param settled in journal order; of two with the same key the later one counts. */
export function createReplay(settled: readonly SettledCall[]): Replay {
  const byKey = new Map<string, SettledCall>();
  for (const call of settled) byKey.set(callKey(call.identity), call);
  const byContent = new Map<string, SettledCall[]>();
  for (const call of byKey.values()) {
    const content = contentKey(call.identity);
    const group = byContent.get(content);
    if (group === undefined) byContent.set(content, [call]);
    else group.push(call);
  }
  const taken = new Set<SettledCall>();

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
  };
}

function contentKey(identity: CallIdentity): string {
  return `${looseScope(identity.scope)}:${identity.fingerprint}`;
}
