/** Why calls of a script are not in the journal: each is held against the record most like it. Pure. */
import { describeDifference } from "../../lib/text-difference.ts";
import type { CallRecord, CallTraits } from "./call-records.ts";
import { type CallIdentity, callKey, looseScope } from "./identity.ts";

/** A call that the script made and the journal has no answer for. */
export interface MissedCall {
  readonly identity: CallIdentity;
  readonly traits: CallTraits;
  readonly prompt: string;
}

type Compared = Pick<MissedCall, "identity" | "traits">;

/** A way in which a call and a record may be the same; the earlier ways are the surer ones. */
interface Likeness {
  /** Equal keys are alike; without a key nothing is. */
  key(call: Compared): string | undefined;
  reason(call: MissedCall, record: CallRecord, promptOf: PromptOf): string;
}

/** The text of a recorded prompt, by its hash. */
type PromptOf = (hash: string) => string;

const LIKENESSES: readonly Likeness[] = [
  { key: ({ identity }) => callKey(identity), reason: endedBadly },
  {
    key: ({ identity }) => `${looseScope(identity.scope)}:${identity.fingerprint}`,
    reason: endedBadly,
  },
  {
    key: ({ identity }) => identity.fingerprint,
    reason: () => "moved: same work in another scope",
  },
  { key: (call) => (call.traits.label === "" ? undefined : place(call, "label")), reason: changed },
  { key: (call) => place(call, "prompt"), reason: changed },
  { key: (call) => place(call), reason: changed },
];

const TRAITS = ["label", "model", "schema", "mode", "provider", "repo", "args", "network"] as const;

export interface Explanation {
  readonly reasons: ReadonlyMap<MissedCall, string>;
  /** Records that are like no call. */
  readonly rest: readonly CallRecord[];
}

/** @param records those that no call of the script took; each explains one call at most. */
export function explainMisses(
  calls: readonly MissedCall[],
  records: readonly CallRecord[],
  promptOf: PromptOf,
): Explanation {
  const reasons = new Map<MissedCall, string>();
  const left = new Set(records);
  for (const { key, reason } of LIKENESSES) {
    const byKey = Map.groupBy(left, key);
    for (const call of calls) {
      const wanted = key(call);
      if (reasons.has(call) || wanted === undefined) continue;
      const record = byKey.get(wanted)?.shift();
      if (record === undefined) continue;
      left.delete(record);
      reasons.set(call, reason(call, record, promptOf));
    }
  }
  for (const call of calls) if (!reasons.has(call)) reasons.set(call, "never run");
  return { reasons, rest: [...left] };
}

function place({ identity, traits }: Compared, trait?: "label" | "prompt"): string {
  return JSON.stringify([
    identity.scope,
    traits.primitive,
    trait === undefined ? "" : traits[trait],
  ]);
}

function endedBadly(_: MissedCall, { outcome }: CallRecord): string {
  if (outcome === "ok") return "reopened: its gate is to be asked again";
  return outcome === undefined ? "never finished" : `failed before: ${outcome}`;
}

function changed(call: MissedCall, record: CallRecord, promptOf: PromptOf): string {
  const names = TRAITS.filter((name) => call.traits[name] !== record.traits[name]);
  const parts = names.length === 0 ? [] : [`${names.join(", ")} changed`];
  if (call.traits.prompt !== record.traits.prompt) {
    const difference = describeDifference(promptOf(record.traits.prompt), call.prompt);
    parts.unshift(`prompt changed: ${difference}`);
  }
  return parts.join("; ");
}
