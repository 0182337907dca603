/** What a call used and what it is charged: reported, priced by its tokens, or the flat estimate. */
import type { CallOutcome, Usage } from "../../providers/contract.ts";
import type { Prices } from "../../providers/prices.ts";
import type { CostSource } from "../run/types.ts";
import type { Execution } from "./execution.ts";

export interface WorkUsage {
  readonly costMicros?: number;
  readonly costSource?: CostSource;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly usageJson?: string;
  /** How often the provider was asked. */
  readonly attempts?: number;
}

export interface Charge {
  readonly costMicros: number;
  /** Absent where nothing was charged. */
  readonly costSource?: CostSource;
}

/** @param model as asked for; empty for the provider's default, whose price nobody knows. */
export function workUsage(prices: Prices, model: string, usage: Usage | undefined): WorkUsage {
  if (usage === undefined) return {};
  const { inputTokens, outputTokens, raw } = usage;
  return {
    ...cost(prices, model, usage),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    usageJson: raw,
  };
}

function cost(prices: Prices, model: string, usage: Usage): Partial<Charge> {
  if (usage.costMicros !== undefined) {
    return { costMicros: usage.costMicros, costSource: "reported" };
  }
  const priced = prices.cost(model, usage);
  return priced === undefined ? {} : { costMicros: priced, costSource: "priced" };
}

/** Whether the run can pay for one more attempt of a call that has used so much. */
export function affordsMore(
  { budget, tokens }: Pick<Execution, "budget" | "tokens">,
  { costMicros = 0, inputTokens = 0, outputTokens = 0 }: WorkUsage,
): boolean {
  return budget.fits(costMicros) && tokens.fits(inputTokens + outputTokens);
}

/** A provider whose quota is used up did nothing. */
export function chargeOf(
  outcome: CallOutcome,
  { costMicros, costSource }: WorkUsage,
  estimateMicros: number,
): Charge {
  if (costMicros !== undefined) {
    return { costMicros, ...(costSource === undefined ? {} : { costSource }) };
  }
  if (outcome === "quota") return { costMicros: 0 };
  return { costMicros: estimateMicros, costSource: "estimated" };
}
