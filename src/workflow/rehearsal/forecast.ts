/** What the agents of a script may come to, by what the like of them came to in earlier runs. */
import { toDollars } from "../../lib/money.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { CallPlan } from "../calls/call.ts";
import type { RehearsedCall } from "./rehearse.ts";

/** Calls of earlier runs that are looked at, the newest. */
const MOST_READ = 5000;

interface PastCall {
  readonly label: string;
  readonly provider: string;
  readonly mode: string;
  /** Absent where nobody reported one. */
  readonly costMicros?: number;
  readonly tokens?: Tokens;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Means of what is known. */
interface Estimate {
  readonly pastCalls: number;
  /** Calls of the same label and provider, or of the same provider and mode. */
  readonly by: "label" | "provider";
  readonly costMicros?: number;
  readonly tokens?: Tokens;
}

export interface History {
  /** `undefined` where no call of the kind was made before. */
  estimate(
    plan: Pick<CallPlan, "label" | "providers"> & { readonly mode: string },
  ): Estimate | undefined;
}

export function readHistory(reader: Reader): History {
  const past = pastCalls(reader);
  const byLabel = Map.groupBy(past, ({ label, provider }) => key(label, provider));
  const byProvider = Map.groupBy(past, ({ provider, mode }) => key(provider, mode));
  return {
    estimate({ label, providers: [provider = ""], mode }) {
      const same = label === "" ? undefined : byLabel.get(key(label, provider));
      if (same !== undefined) return meanOf(same, "label");
      const alike = byProvider.get(key(provider, mode));
      return alike === undefined ? undefined : meanOf(alike, "provider");
    },
  };
}

function key(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function pastCalls(reader: Reader): readonly PastCall[] {
  const rows = reader.all<{
    label: string;
    provider: string;
    mode: string;
    cost_micros: number | null;
    input_tokens: number;
    output_tokens: number;
  }>(
    `SELECT label, provider, mode, input_tokens, output_tokens,
       CASE WHEN cost_source IN ('reported', 'priced') THEN cost_micros END AS cost_micros
     FROM workflow_calls
     WHERE status = 'completed' AND outcome = 'ok'
       AND (cost_source IN ('reported', 'priced') OR input_tokens + output_tokens > 0)
     ORDER BY created_at DESC LIMIT ?`,
    MOST_READ,
  );
  return rows.map(({ label, provider, mode, cost_micros, input_tokens, output_tokens }) => ({
    label,
    provider,
    mode,
    ...(cost_micros === null ? {} : { costMicros: cost_micros }),
    ...(input_tokens + output_tokens === 0
      ? {}
      : { tokens: { input: input_tokens, output: output_tokens } }),
  }));
}

function meanOf(calls: readonly PastCall[], by: Estimate["by"]): Estimate {
  const costs = calls.flatMap(({ costMicros }) => costMicros ?? []);
  const tokens = calls.flatMap((call) => call.tokens ?? []);
  return {
    pastCalls: calls.length,
    by,
    ...(costs.length === 0 ? {} : { costMicros: mean(costs) }),
    ...(tokens.length === 0
      ? {}
      : {
          tokens: {
            input: mean(tokens.map(({ input }) => input)),
            output: mean(tokens.map(({ output }) => output)),
          },
        }),
  };
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
}

/** Sums over the agents of a script; `null` where nothing is known of any. */
export interface Forecast {
  readonly agents: number;
  /** Commands that are run directly. */
  readonly checks: number;
  /** Gates that wait for a person. */
  readonly manual_gates: number;
  /** US dollars. */
  readonly cost_usd: number | null;
  /** Agents whose cost is in the sum. */
  readonly agents_with_cost: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly agents_with_tokens: number;
  readonly groups: readonly ForecastGroup[];
}

/** Agents of one label and provider. */
export interface ForecastGroup {
  readonly label: string;
  readonly provider: string;
  readonly agents: number;
  /** What the estimate goes by; `unknown` where no such call was made before. */
  readonly basis: "label" | "provider" | "unknown";
  readonly past_calls: number;
  /** Of one agent, in US dollars. */
  readonly cost_usd: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export function forecastOf(history: History, calls: readonly RehearsedCall[]): Forecast {
  const count = (wanted: CallPlan["kind"]) =>
    calls.filter(({ plan }) => plan.kind === wanted).length;
  const agents = calls.filter(({ plan }) => plan.kind === "agent");
  const groups = [
    ...Map.groupBy(agents, ({ plan }) => key(plan.label, plan.providers[0] ?? "")),
  ].map(([, alike]) => groupOf(history, alike));
  const costs = groups.filter((group) => group.cost_usd !== null);
  const tokens = groups.filter((group) => group.input_tokens !== null);
  return {
    agents: agents.length,
    checks: count("check"),
    manual_gates: count("gate"),
    cost_usd: sum(costs, "cost_usd"),
    agents_with_cost: sum(costs, "agents", 1) ?? 0,
    input_tokens: sum(tokens, "input_tokens"),
    output_tokens: sum(tokens, "output_tokens"),
    agents_with_tokens: sum(tokens, "agents", 1) ?? 0,
    groups,
  };
}

function groupOf(history: History, alike: readonly RehearsedCall[]): ForecastGroup {
  const [first] = alike;
  const { label = "", providers = [], content } = first?.plan ?? {};
  const estimate = history.estimate({ label, providers, mode: content?.mode ?? "" });
  return {
    label,
    provider: providers[0] ?? "",
    agents: alike.length,
    basis: estimate?.by ?? "unknown",
    past_calls: estimate?.pastCalls ?? 0,
    cost_usd: estimate?.costMicros === undefined ? null : toDollars(estimate.costMicros),
    input_tokens: estimate?.tokens?.input ?? null,
    output_tokens: estimate?.tokens?.output ?? null,
  };
}

/** Over all agents of the groups; `null` of none. */
function sum(
  groups: readonly ForecastGroup[],
  field: "agents" | "cost_usd" | "input_tokens" | "output_tokens",
  times?: 1,
): number | null {
  if (groups.length === 0) return null;
  const total = groups.reduce((so, group) => so + (group[field] ?? 0) * (times ?? group.agents), 0);
  return Math.round(total * 1e6) / 1e6;
}
