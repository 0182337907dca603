/** Where two rehearsals of one script part: by what a resumed run would know its calls by. Pure. */
import { canonicalJson, type Json } from "../../lib/json.ts";
import { describeDifference } from "../../lib/text-difference.ts";
import { looseScope } from "../run/identity.ts";
import { traitsOf } from "../run/journal-answers.ts";
import { explainMisses } from "../run/miss-reasons.ts";
import type { Rehearsal, RehearsedCall } from "./rehearse.ts";

export const DIVERGENCES = ["call", "result", "end"] as const;

export interface Divergence {
  /** Another call, or the same calls and another result, or another way to end. */
  readonly kind: (typeof DIVERGENCES)[number];
  /** What the one has in the place of what the other has; absent where it has nothing there. */
  readonly one?: RehearsedCall;
  readonly other?: RehearsedCall;
  readonly reason: string;
}

/** @returns the first call that only one of them made, else how their ends differ. */
export function divergenceOf(
  one: Rehearsal,
  other: Rehearsal,
  args: string,
): Divergence | undefined {
  return callDivergence(one.calls, other.calls, args) ?? endDivergence(one, other);
}

function callDivergence(
  ones: readonly RehearsedCall[],
  others: readonly RehearsedCall[],
  args: string,
): Divergence | undefined {
  const onlyOnes = without(ones, others);
  const onlyOthers = without(others, ones);
  const [call] = onlyOthers;
  if (call === undefined) {
    const [one] = onlyOnes;
    if (one === undefined) return undefined;
    return { kind: "call", one, reason: "made in one order of completion only" };
  }
  const counterpart = likest(call, onlyOnes);
  if (counterpart === undefined) {
    return { kind: "call", other: call, reason: "made in one order of completion only" };
  }
  return { kind: "call", one: counterpart, other: call, reason: reasonOf(counterpart, call, args) };
}

/** Those that no equal one stands for; of equal ones each stands for one. */
function without(
  calls: readonly RehearsedCall[],
  taken: readonly RehearsedCall[],
): readonly RehearsedCall[] {
  const left = Map.groupBy(taken, keyOf);
  return calls.filter((call) => left.get(keyOf(call))?.pop() === undefined);
}

/** Siblings may swap their numbers: a resume looks past these too. */
function keyOf({ identity }: RehearsedCall): string {
  return `${looseScope(identity.scope)}:${identity.fingerprint}`;
}

function likest(
  call: RehearsedCall,
  candidates: readonly RehearsedCall[],
): RehearsedCall | undefined {
  const alike = [
    (one: RehearsedCall) =>
      one.identity.scope === call.identity.scope && one.plan.label === call.plan.label,
    (one: RehearsedCall) => one.identity.scope === call.identity.scope,
    (one: RehearsedCall) => one.workflow === call.workflow && one.line === call.line,
  ];
  for (const isAlike of alike) {
    const found = candidates.find(
      (one) => one.plan.content.primitive === call.plan.content.primitive && isAlike(one),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function reasonOf(one: RehearsedCall, other: RehearsedCall, args: string): string {
  const traits = traitsOf(one.plan, args);
  const call = {
    identity: other.identity,
    traits: traitsOf(other.plan, args),
    prompt: other.plan.prompt,
  };
  // Held against each other where the other one is, wherever this one was made.
  const record = { callId: "", identity: { ...one.identity, scope: other.identity.scope }, traits };
  const reason = explainMisses([call], [record], () => one.plan.prompt).reasons.get(call) ?? "";
  return one.identity.fingerprint === other.identity.fingerprint
    ? `same work in another scope: ${one.identity.scope || "top"} → ${other.identity.scope || "top"}`
    : reason;
}

function endDivergence(one: Rehearsal, other: Rehearsal): Divergence | undefined {
  const [before, after] = [endText(one), endText(other)];
  if (before === after) return undefined;
  const isResult = one.outcome.kind === "returned" && other.outcome.kind === "returned";
  const difference = describeDifference(before, after);
  return isResult
    ? { kind: "result", reason: `result differs: ${difference}` }
    : { kind: "end", reason: `it ends otherwise: ${difference}` };
}

function endText({ outcome }: Rehearsal): string {
  if (outcome.kind === "returned") return canonicalJson((outcome.value ?? null) as Json);
  return outcome.kind === "failed" ? `failed: ${outcome.error.message}` : outcome.kind;
}
