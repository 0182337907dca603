/**
 * Prices of models whose provider reports tokens and no cost. List prices of December 2025, an
 * estimate: discounts, subscriptions and long contexts are not in it.
 */
import { usageError } from "../lib/errors.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { MICROS_PER_DOLLAR } from "../lib/money.ts";
import type { Usage } from "./contract.ts";

/** A price is for so many. */
const TOKENS = 1_000_000;

/** Micro-dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** Model names begin with these; the longest that fits counts. */
const LIST_PRICES: Readonly<Record<string, Price>> = {
  "gpt-5": price(1.25, 0.125, 10),
  "gpt-5-mini": price(0.25, 0.025, 2),
  "gpt-5-nano": price(0.05, 0.005, 0.4),
  "gpt-5-pro": price(15, 15, 120),
  "gpt-5.1": price(1.25, 0.125, 10),
  "gpt-5.1-codex-mini": price(0.25, 0.025, 2),
  "gpt-5.2": price(1.75, 0.175, 14),
  "gpt-4.1": price(2, 0.5, 8),
  "gpt-4.1-mini": price(0.4, 0.1, 1.6),
  "o4-mini": price(1.1, 0.275, 4.4),
  "codex-mini": price(1.5, 0.375, 6),
  "claude-opus-4": price(15, 1.5, 75),
  "claude-opus-4-5": price(5, 0.5, 25),
  "claude-sonnet-4": price(3, 0.3, 15),
  "claude-haiku-4-5": price(1, 0.1, 5),
};

export interface Prices {
  /** Micro-dollars; `undefined` for an unknown model or usage without tokens. */
  cost(model: string, usage: Usage): number | undefined;
}

/**
 * @param overrides JSON of US dollars per million tokens by the beginning of a model's name, such as
 * `{"my-model":{"input":1.25,"cached_input":0.125,"output":10}}`; without `cached_input` cached tokens
 * cost what others do.
 * @throws PalliumError `usage`
 */
export function createPrices(overrides: string | undefined): Prices {
  const table = new Map([...Object.entries(LIST_PRICES), ...readOverrides(overrides)]);
  const prefixes = [...table.keys()].sort((a, b) => b.length - a.length);
  return {
    cost(model, { inputTokens, cachedInputTokens = 0, outputTokens }) {
      const prefix = prefixes.find((name) => model.startsWith(name));
      const found = prefix === undefined ? undefined : table.get(prefix);
      if (found === undefined || (inputTokens === undefined && outputTokens === undefined)) {
        return undefined;
      }
      const cached = Math.min(cachedInputTokens, inputTokens ?? 0);
      const fresh = (inputTokens ?? 0) - cached;
      const sum =
        fresh * found.input + cached * found.cachedInput + (outputTokens ?? 0) * found.output;
      return Math.ceil(sum / TOKENS);
    },
  };
}

function price(input: number, cachedInput: number, output: number): Price {
  return {
    input: Math.round(input * MICROS_PER_DOLLAR),
    cachedInput: Math.round(cachedInput * MICROS_PER_DOLLAR),
    output: Math.round(output * MICROS_PER_DOLLAR),
  };
}

function readOverrides(text: string | undefined): [string, Price][] {
  if (text === undefined || text.trim() === "") return [];
  const given = parseJson(text);
  if (!isRecord(given)) throw badPrices("it is not a JSON object");
  return Object.entries(given).map(([model, entry]) => {
    const { input, output, cached_input: cached = input } = isRecord(entry) ? entry : {};
    if (!isPrice(input) || !isPrice(cached) || !isPrice(output)) {
      throw badPrices(`"${model}" needs input and output, in US dollars per million tokens`);
    }
    return [model, price(input, cached, output)];
  });
}

function isPrice(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && Number.isFinite(value);
}

function badPrices(why: string) {
  return usageError(
    `PALLIUM_WORKFLOW_PRICES is invalid: ${why}`,
    `such as {"my-model":{"input":1.25,"cached_input":0.125,"output":10}}`,
  );
}
