/** `workflow fleet`: what runs, what waits, and how the newest runs went. */
import { wholeSeconds } from "../../lib/iso-time.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { ReconciledRun } from "../run/reconcile.ts";
import { readRuns } from "../run/store.ts";
import type { RunRecord, RunStatus } from "../run/types.ts";
import {
  countTriggers,
  newestStatusRuns,
  type RunsByStatus,
  readTallies,
  runsByStatus,
  type TriggerCounts,
} from "./newest-runs.ts";
import { type StatusReport, statusOf } from "./status.ts";

/** Runs and agents are those of the newest runs that were asked for; triggers are all there are. */
export interface FleetReport extends TriggerCounts {
  readonly runs_total: number;
  readonly runs_by_status: RunsByStatus;
  /** Queued, running and paused ones; absent where there are none. */
  readonly active_runs?: readonly RunRecord[];
  readonly running_agents: number;
  readonly paused_agents: number;
  readonly failed_agents: number;
  /** UTC, whole seconds: when this was counted. */
  readonly updated_at: string;
  /** The one changed last first; absent where there are none. */
  readonly recent_runs?: readonly StatusReport[];
  /** Runs whose runner was found dead just now; absent where there are none. */
  readonly reconciled?: readonly ReconciledRun[];
}

/** Of runs that are not over: a paused one waits for somebody to resume it. */
const ACTIVE: readonly RunStatus[] = ["queued", "running", "paused"];

export function readFleet(
  reader: Reader,
  limit: number,
  now: Date,
  reconciled: readonly ReconciledRun[],
): FleetReport {
  const runs = newestStatusRuns(reader, limit);
  const tallyOf = readTallies(
    reader,
    runs.map(({ id }) => id),
  );
  const recent = runs.map((run) => statusOf(run, tallyOf(run.id)));
  const active = runs.filter(({ status }) => ACTIVE.includes(status)).map(({ id }) => id);
  const sum = (of: (status: StatusReport) => number) =>
    recent.reduce((total, status) => total + of(status), 0);
  return {
    runs_total: runs.length,
    runs_by_status: runsByStatus(runs),
    ...(active.length === 0 ? {} : { active_runs: readRuns(reader, active) }),
    ...countTriggers(reader),
    running_agents: sum(({ agents_running }) => agents_running),
    paused_agents: sum(({ agents_paused }) => agents_paused),
    failed_agents: sum(({ agents_failed }) => agents_failed),
    updated_at: wholeSeconds(now),
    ...(recent.length === 0 ? {} : { recent_runs: recent }),
    ...(reconciled.length === 0 ? {} : { reconciled }),
  };
}
