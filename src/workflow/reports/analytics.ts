/** `workflow analytics`: what the newest runs came to, and what they cost. */
import { wholeSeconds } from "../../lib/iso-time.ts";
import { toDollars } from "../../lib/money.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { ReconciledRun } from "../run/reconcile.ts";
import { OF_RUNS } from "../run/store.ts";
import { type AgentStatus, IS_AGENT } from "../run/types.ts";
import {
  countTriggers,
  newestRuns,
  type RunsByStatus,
  runsByStatus,
  type TriggerCounts,
} from "./newest-runs.ts";

type Counts = Readonly<Record<string, number>>;

/** Of several attempts at one call the latest counts; each was paid for. */
export interface AnalyticsReport extends TriggerCounts {
  readonly runs_total: number;
  /** Share of runs that came to an end of their own, with failures or without; 0 to 1. */
  readonly completion_rate: number;
  readonly runs_by_status: RunsByStatus;
  readonly agents_total: number;
  readonly agents_by_status: Counts;
  readonly agents_by_provider: Counts;
  readonly agents_by_mode: Counts;
  readonly patches_produced: number;
  /** US dollars, reported or estimated. */
  readonly estimated_cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly average_agents_per_run: number;
  readonly most_recent_run_id?: string;
  /** UTC, whole seconds: when this was counted. */
  readonly updated_at: string;
  /** Runs whose runner was found dead just now; absent where there are none. */
  readonly reconciled?: readonly ReconciledRun[];
}

interface CallGroup {
  readonly superseded: number;
  readonly status: AgentStatus;
  readonly provider: string;
  readonly mode: string;
  readonly calls: number;
  readonly patches: number;
  readonly cost_micros: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export function readAnalytics(
  reader: Reader,
  limit: number,
  now: Date,
  reconciled: readonly ReconciledRun[],
): AnalyticsReport {
  const runs = newestRuns(reader, limit);
  const groups = readGroups(
    reader,
    runs.map(({ id }) => id),
  );
  const agents = groups.filter(({ superseded }) => superseded === 0);
  const agentsTotal = sum(agents, "calls");
  const statuses = runsByStatus(runs);
  const ended = (statuses.completed ?? 0) + (statuses.completed_with_failures ?? 0);
  const [newest] = runs;
  return {
    runs_total: runs.length,
    completion_rate: share(ended, runs.length),
    runs_by_status: statuses,
    agents_total: agentsTotal,
    agents_by_status: countsBy(agents, ({ status }) => status),
    agents_by_provider: countsBy(agents, ({ provider }) => provider || "codex"),
    agents_by_mode: countsBy(agents, ({ mode }) => mode || "read-only"),
    patches_produced: sum(groups, "patches"),
    estimated_cost_usd: toDollars(sum(groups, "cost_micros")),
    input_tokens: sum(groups, "input_tokens"),
    output_tokens: sum(groups, "output_tokens"),
    average_agents_per_run: share(agentsTotal, runs.length),
    ...countTriggers(reader),
    ...(newest === undefined ? {} : { most_recent_run_id: newest.id }),
    updated_at: wholeSeconds(now),
    ...(reconciled.length === 0 ? {} : { reconciled }),
  };
}

function readGroups(reader: Reader, ids: readonly string[]): readonly CallGroup[] {
  return reader.all<CallGroup>(
    `SELECT superseded, status, provider, mode, count(*) AS calls, count(patch_path) AS patches,
       sum(cost_micros) AS cost_micros, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens
     FROM workflow_calls WHERE ${OF_RUNS} AND ${IS_AGENT}
     GROUP BY superseded, status, provider, mode ORDER BY superseded, status, provider, mode`,
    JSON.stringify(ids),
  );
}

function sum(
  groups: readonly CallGroup[],
  field: "calls" | "patches" | "cost_micros" | "input_tokens" | "output_tokens",
): number {
  return groups.reduce((total, group) => total + group[field], 0);
}

/** The most frequent first. */
function countsBy(groups: readonly CallGroup[], name: (group: CallGroup) => string): Counts {
  const counts = [...Map.groupBy(groups, name)].map(([key, of]): readonly [string, number] => [
    key,
    sum(of, "calls"),
  ]);
  return Object.fromEntries(counts.toSorted(([, one], [, other]) => other - one));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
