/** Which calls of two executions are the same work, the surer signs before the others. Pure. */
import type { CallTraits } from "./call-records.ts";
import { type CallIdentity, callKey, looseScope } from "./identity.ts";

export interface LikenedCall {
  readonly identity: CallIdentity;
  readonly traits: Pick<CallTraits, "primitive" | "label" | "prompt">;
}

/** What two calls have in common. */
export type Likeness =
  | "key"
  | "sibling"
  | "content"
  | "label"
  | "prompt"
  | "unlabelled"
  | "place"
  | "moved";

export interface Pair<One, Other> {
  readonly one: One;
  readonly other: Other;
  readonly likeness: Likeness;
}

/** Equal keys are alike; without a key nothing is. */
type LikenessKey = (call: LikenedCall) => string | undefined;

const KEYS: Readonly<Record<Likeness, LikenessKey>> = {
  key: ({ identity }) => callKey(identity),
  sibling: ({ identity }) => `${looseScope(identity.scope)}:${identity.fingerprint}`,
  content: ({ identity }) => identity.fingerprint,
  label: (call) => (call.traits.label === "" ? undefined : place(call, "label")),
  prompt: (call) => place(call, "prompt"),
  unlabelled: (call) => (call.traits.label === "" ? place(call, "label") : undefined),
  place: (call) => place(call),
  moved: ({ traits: { primitive, label } }) =>
    label === "" ? undefined : JSON.stringify([primitive, label]),
};

/**
 * Each call is in one pair at most; of several that are alike the first ones are taken.
 * @param likenesses the surest first.
 */
export function pairAlike<One extends LikenedCall, Other extends LikenedCall>(
  ones: readonly One[],
  others: readonly Other[],
  likenesses: readonly Likeness[],
): readonly Pair<One, Other>[] {
  const pairs: Pair<One, Other>[] = [];
  const open = new Set(ones);
  const left = new Set(others);
  for (const likeness of likenesses) {
    const key = KEYS[likeness];
    const byKey = Map.groupBy(left, key);
    for (const one of open) {
      const wanted = key(one);
      const other = wanted === undefined ? undefined : byKey.get(wanted)?.shift();
      if (other === undefined) continue;
      open.delete(one);
      left.delete(other);
      pairs.push({ one, other, likeness });
    }
  }
  return pairs;
}

function place({ identity, traits }: LikenedCall, trait?: "label" | "prompt"): string {
  return JSON.stringify([
    identity.scope,
    traits.primitive,
    trait === undefined ? "" : traits[trait],
  ]);
}
