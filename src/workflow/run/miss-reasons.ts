/** Why calls of a script are not in the journal: each is held against the record most like it. Pure. */
import { describeDifference } from "../../lib/text-difference.ts";
import { type Likeness, pairAlike } from "./call-likeness.ts";
import type { CallRecord, CallTraits } from "./call-records.ts";
import type { CallIdentity } from "./identity.ts";

/** A call that the script made and the journal has no answer for. */
export interface MissedCall {
  readonly identity: CallIdentity;
  readonly traits: CallTraits;
  readonly prompt: string;
}

/** The text of a recorded prompt, by its hash. */
type PromptOf = (hash: string) => string;

const LIKENESSES: readonly Likeness[] = [
  "key",
  "sibling",
  "content",
  "label",
  "prompt",
  "unlabelled",
  "place",
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
  const reasons = new Map<MissedCall, string>(calls.map((call) => [call, "never run"]));
  const left = new Set(records);
  for (const { one, other, likeness } of pairAlike(calls, records, LIKENESSES)) {
    left.delete(other);
    reasons.set(one, reason(one, other, likeness, promptOf));
  }
  return { reasons, rest: [...left] };
}

function reason(
  call: MissedCall,
  record: CallRecord,
  likeness: Likeness,
  promptOf: PromptOf,
): string {
  if (likeness === "key" || likeness === "sibling") return endedBadly(record);
  if (likeness === "content") return "moved: same work in another scope";
  return changed(call, record, promptOf);
}

function endedBadly({ outcome }: CallRecord): string {
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
