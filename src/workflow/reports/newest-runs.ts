/** The runs that an overview counts, and what each did, in a number of queries that is always the same. */
import { optional } from "../../lib/optional.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import { OF_RUNS } from "../run/store.ts";
import { type AgentStatus, IS_AGENT, RUN_STATUSES, type RunStatus } from "../run/types.ts";
import { agentCounts, type RunTally, type StatusRun } from "./status.ts";

/** Counts per status, those that occur in the order of `RUN_STATUSES`. */
export type RunsByStatus = Readonly<Partial<Record<RunStatus, number>>>;

const NEWEST = "FROM workflow_runs ORDER BY updated_at DESC, id DESC LIMIT ?";

/** The runs changed last, the latest first. */
export function newestRuns(
  reader: Reader,
  limit: number,
): readonly Pick<StatusRun, "id" | "status">[] {
  return reader.all(`SELECT id, status ${NEWEST}`, limit);
}

/** The error is read only where there may be one: it lies behind the result, which may be megabytes. */
const STATUS_COLUMNS = `id, task, status, script_changed, updated_at, completed_at, collected_at,
  CASE WHEN status = 'completed' THEN NULL ELSE error END AS error`;

interface StatusRow {
  readonly id: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly script_changed: number;
  readonly updated_at: string;
  readonly completed_at: string | null;
  readonly collected_at: string | null;
  readonly error: string | null;
}

/** The same with what a status says of each. */
export function newestStatusRuns(reader: Reader, limit: number): readonly StatusRun[] {
  return reader.all<StatusRow>(`SELECT ${STATUS_COLUMNS} ${NEWEST}`, limit).map(statusRun);
}

function statusRun({ script_changed, completed_at, collected_at, error, ...row }: StatusRow) {
  return {
    ...row,
    script_changed: script_changed === 1,
    ...optional({
      completed_at: completed_at ?? undefined,
      collected_at: collected_at ?? undefined,
      error: error ?? undefined,
    }),
  };
}

export function runsByStatus(runs: readonly Pick<StatusRun, "status">[]): RunsByStatus {
  const counts = Map.groupBy(runs, ({ status }) => status);
  return Object.fromEntries(
    RUN_STATUSES.flatMap((status) => {
      const of = counts.get(status);
      return of === undefined ? [] : [[status, of.length]];
    }),
  );
}

interface CallsRow {
  readonly run_id: string;
  readonly status: AgentStatus;
  readonly outcome: CallOutcome | null;
  readonly calls: number;
}

interface PhasesRow {
  readonly run_id: string;
  readonly status: string;
  readonly phases: number;
}

/** What each of these runs did; of several attempts at one call the latest counts. */
export function readTallies(reader: Reader, ids: readonly string[]): (id: string) => RunTally {
  const list = JSON.stringify(ids);
  const calls = Map.groupBy(
    reader.all<CallsRow>(
      `SELECT run_id, status, outcome, count(*) AS calls FROM workflow_calls
       WHERE ${OF_RUNS} AND ${IS_AGENT} AND superseded = 0 GROUP BY run_id, status, outcome`,
      list,
    ),
    ({ run_id }) => run_id,
  );
  const phases = Map.groupBy(
    reader.all<PhasesRow>(
      `SELECT run_id, status, count(*) AS phases FROM workflow_phases
       WHERE ${OF_RUNS} GROUP BY run_id, status`,
      list,
    ),
    ({ run_id }) => run_id,
  );
  const dropped = new Map(
    reader
      .all<{ run_id: string; dropped: number }>(
        `SELECT run_id, count(*) AS dropped FROM workflow_failures WHERE ${OF_RUNS} GROUP BY run_id`,
        list,
      )
      .map((row) => [row.run_id, row.dropped]),
  );
  return (id) => ({
    ...phaseCounts(phases.get(id) ?? []),
    ...callCounts(calls.get(id) ?? []),
    dropped: dropped.get(id) ?? 0,
  });
}

function phaseCounts(rows: readonly PhasesRow[]) {
  const completed = rows.filter(({ status }) => status === "completed");
  const sum = (of: readonly PhasesRow[]) => of.reduce((total, { phases }) => total + phases, 0);
  return { phases_total: sum(rows), phases_completed: sum(completed) };
}

function callCounts(rows: readonly CallsRow[]) {
  const sum = (of: readonly CallsRow[]) => of.reduce((total, { calls }) => total + calls, 0);
  const outcomes: Partial<Record<CallOutcome, number>> = {};
  for (const { outcome, calls } of rows) {
    if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + calls;
  }
  return {
    agents_total: sum(rows),
    ...agentCounts((wanted) => sum(rows.filter(({ status }) => status === wanted))),
    outcomes,
  };
}

export interface TriggerCounts {
  readonly triggers_total: number;
  readonly enabled_triggers: number;
}

export function countTriggers(reader: Reader): TriggerCounts {
  const counts = reader.get<TriggerCounts>(
    `SELECT count(*) AS triggers_total, coalesce(sum(enabled), 0) AS enabled_triggers
     FROM workflow_triggers`,
  );
  return counts ?? { triggers_total: 0, enabled_triggers: 0 };
}
