/** Calls of two runs side by side: which are the same work, and in what they differ. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { optional } from "../../lib/optional.ts";
import { type Likeness, type Pair, pairAlike } from "../run/call-likeness.ts";
import { type CallOption, type CallSide, OPTIONS, type RecordedCall } from "./recorded-calls.ts";
import type { CompareTexts, TextDifference } from "./text-difference.ts";

export const CHANGES = ["same", "differs", "only_before", "only_after"] as const;
export type Change = (typeof CHANGES)[number];

/** What was asked, then what came of it. */
export const ASPECTS = ["prompt", ...OPTIONS, "status", "error", "output"] as const;
export type Aspect = "prompt" | CallOption | "status" | "error" | "output";

export interface ComparedCall {
  readonly change: Change;
  readonly primitive: string;
  readonly label?: string;
  /** Where in the script it is made; empty at its top. */
  readonly scope: string;
  /** Where the first run made it, if that was somewhere else. */
  readonly moved_from?: string;
  /** In the order of `ASPECTS`; how long it took and what it cost is never a difference. */
  readonly differs: readonly Aspect[];
  /** Absent where one run alone made it. */
  readonly before?: CallSide;
  readonly after?: CallSide;
  /** Those that differ; absent where none does. */
  readonly options?: Readonly<Partial<Record<CallOption, OptionDifference>>>;
  readonly prompt?: TextDifference;
  readonly output?: TextDifference;
}

export interface OptionDifference {
  readonly before: string;
  readonly after: string;
}

/** Texts by their hashes; empty for an empty hash. */
export type TextOf = (hash: string) => string;

/** Calls that have nothing in common but where they are made are different calls. */
const SIGNS: readonly Likeness[] = [
  "key",
  "sibling",
  "content",
  "label",
  "prompt",
  "moved",
  "unlabelled",
];

/** In the order in which the first run started them, those of the second alone where it started them. */
export function compareCalls(
  before: readonly RecordedCall[],
  after: readonly RecordedCall[],
  textOf: TextOf,
  compareTexts: CompareTexts,
): readonly ComparedCall[] {
  const pairs = pairAlike(before, after, SIGNS);
  const byBefore = new Map(pairs.map((pair) => [pair.one, pair]));
  const partners = new Map(pairs.map(({ one, other }) => [other, one]));
  const following = Map.groupBy(unpaired(after, partners), ({ behind }) => behind);
  const added = (behind: RecordedCall | undefined) =>
    (following.get(behind) ?? []).map(({ call }) => alone(call, "only_after"));
  return [
    ...added(undefined),
    ...before.flatMap((call) => {
      const pair = byBefore.get(call);
      const compared =
        pair === undefined ? alone(call, "only_before") : together(pair, textOf, compareTexts);
      return [compared, ...added(call)];
    }),
  ];
}

/** Calls of the second run alone, each with the call of the first run whose partner is in front of it. */
function unpaired(
  after: readonly RecordedCall[],
  partners: ReadonlyMap<RecordedCall, RecordedCall>,
) {
  let behind: RecordedCall | undefined;
  return after.flatMap((call) => {
    const partner = partners.get(call);
    if (partner !== undefined) behind = partner;
    return partner === undefined ? [{ call, behind }] : [];
  });
}

function alone(call: RecordedCall, change: "only_before" | "only_after"): ComparedCall {
  return {
    change,
    ...named(call),
    differs: [],
    ...(change === "only_before" ? { before: call.side } : { after: call.side }),
  };
}

function together(
  { one, other }: Pair<RecordedCall, RecordedCall>,
  textOf: TextOf,
  compareTexts: CompareTexts,
): ComparedCall {
  const { traits, options, side } = one;
  const text = (old: string, now: string, shown: (text: string) => string) =>
    old === now ? undefined : compareTexts(shown(textOf(old)), shown(textOf(now)));
  const prompt = text(traits.prompt, other.traits.prompt, (whole) => whole);
  const output = text(
    one.output,
    other.output,
    traits.primitive === "check" ? withoutTimes : (whole) => whole,
  );
  const changed = OPTIONS.filter((name) => options[name] !== other.options[name]);
  const isOther: Readonly<Partial<Record<Aspect, boolean>>> = {
    ...Object.fromEntries(changed.map((name) => [name, true])),
    prompt: prompt !== undefined,
    status: side.status !== other.side.status || side.outcome !== other.side.outcome,
    error: side.error !== other.side.error,
    output: output !== undefined,
  };
  const differs = ASPECTS.filter((aspect) => isOther[aspect] === true);
  return {
    change: differs.length === 0 ? "same" : "differs",
    ...named(other),
    ...(one.scope === other.scope ? {} : { moved_from: one.scope }),
    differs,
    before: side,
    after: other.side,
    ...(changed.length === 0 ? {} : { options: optionsOf(changed, options, other.options) }),
    ...optional({ prompt, output }),
  };
}

function optionsOf(
  names: readonly CallOption[],
  before: RecordedCall["options"],
  after: RecordedCall["options"],
): NonNullable<ComparedCall["options"]> {
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name], after: after[name] }]),
  );
}

function named({ traits: { primitive, label }, scope }: RecordedCall) {
  return { primitive, ...(label === "" ? {} : { label }), scope };
}

/** What a check reports, but for how long it took. */
function withoutTimes(output: string): string {
  const result = parseJson(output);
  if (!isRecord(result)) return output;
  const { duration_ms: _duration, summary: _summary, ...rest } = result;
  return JSON.stringify(rest);
}
