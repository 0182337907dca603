/** How a run stands: counts, outcomes and the verdict line. Pure. */
import { CALL_OUTCOMES, type CallOutcome } from "../../providers/contract.ts";
import {
  type AgentRecord,
  type AgentStatus,
  FINAL_STATUSES,
  type RunFailure,
  type RunRecord,
  type RunStatus,
  type Snapshot,
} from "../run/types.ts";

export interface AgentCounts {
  readonly agents_running: number;
  readonly agents_completed: number;
  readonly agents_failed: number;
  readonly agents_stopped: number;
  readonly agents_paused: number;
  readonly agents_interrupted: number;
}

/** What a run did, in numbers. */
export interface RunTally extends AgentCounts {
  readonly phases_total: number;
  readonly phases_completed: number;
  readonly agents_total: number;
  /** Settled calls per outcome; only outcomes that occurred. */
  readonly outcomes: Readonly<Partial<Record<CallOutcome, number>>>;
  /** Entries of the run's failure list. */
  readonly dropped: number;
}

/** What a status says of the run itself. */
export type StatusRun = Pick<
  RunRecord,
  | "id"
  | "task"
  | "status"
  | "script_changed"
  | "updated_at"
  | "completed_at"
  | "collected_at"
  | "error"
>;

export interface StatusReport extends RunTally {
  readonly id: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly verdict: string;
  readonly script_changed?: boolean;
  readonly updated_at: string;
  readonly completed_at?: string;
  /** When `workflow gc` gave up the files of the run: it cannot be resumed. */
  readonly collected_at?: string;
  readonly error?: string;
}

export interface Inspection {
  readonly status: StatusReport;
  readonly script_path: string;
  readonly result?: string;
  readonly failures: readonly RunFailure[];
  readonly phases: Snapshot["phases"];
  readonly agents: readonly AgentRecord[];
  readonly patches: readonly string[];
  readonly failed_agents: readonly AgentRecord[];
  /** Counts per phase name; calls outside any phase are under the empty name. */
  readonly by_phase: Readonly<Record<string, AgentCounts>>;
}

/** The calls that count: of several attempts at one call the latest. */
export function currentCalls(agents: readonly AgentRecord[]): readonly AgentRecord[] {
  return agents.filter(({ superseded }) => superseded !== true);
}

export function statusReport({ run, phases, agents: attempts }: Snapshot): StatusReport {
  const agents = currentCalls(attempts);
  const outcomes: Partial<Record<CallOutcome, number>> = {};
  for (const { outcome } of agents) {
    if (outcome !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return statusOf(run, {
    phases_total: phases.length,
    phases_completed: phases.filter(({ status }) => status === "completed").length,
    agents_total: agents.length,
    ...countsOf(agents),
    outcomes,
    dropped: run.failures?.length ?? 0,
  });
}

export function statusOf(run: StatusRun, tally: RunTally): StatusReport {
  return {
    id: run.id,
    task: run.task,
    status: run.status,
    verdict: verdict(run.status, tally),
    ...tally,
    ...(run.script_changed === true ? { script_changed: true } : {}),
    updated_at: run.updated_at,
    ...(run.completed_at === undefined ? {} : { completed_at: run.completed_at }),
    ...(run.collected_at === undefined ? {} : { collected_at: run.collected_at }),
    ...(run.error === undefined ? {} : { error: run.error }),
  };
}

export function inspect(snapshot: Snapshot): Inspection {
  const { run, phases } = snapshot;
  const agents = currentCalls(snapshot.agents);
  const byPhase: Record<string, AgentCounts> = {};
  for (const phase of new Set(agents.map((agent) => agent.phase ?? ""))) {
    byPhase[phase] = countsOf(agents.filter((agent) => (agent.phase ?? "") === phase));
  }
  return {
    status: statusReport(snapshot),
    script_path: run.script_path,
    ...(run.result === undefined ? {} : { result: run.result }),
    failures: run.failures ?? [],
    phases,
    agents: snapshot.agents,
    patches: snapshot.agents.flatMap(({ patch_path }) => patch_path ?? []),
    failed_agents: agents.filter(({ status }) => status === "failed"),
    by_phase: byPhase,
  };
}

function countsOf(agents: readonly AgentRecord[]): AgentCounts {
  return agentCounts((wanted) => agents.filter(({ status }) => status === wanted).length);
}

/** @param count how many calls have a status. */
export function agentCounts(count: (status: AgentStatus) => number): AgentCounts {
  return {
    agents_running: count("running"),
    agents_completed: count("completed"),
    agents_failed: count("failed"),
    agents_stopped: count("stopped"),
    agents_paused: count("paused"),
    agents_interrupted: count("interrupted"),
  };
}

function verdict(
  status: RunStatus,
  { agents_completed: completed, agents_total: total, dropped, outcomes }: RunTally,
): string {
  const head =
    status === "completed"
      ? "FINISHED"
      : FINAL_STATUSES.includes(status)
        ? `FINISHED (${status})`
        : `NOT FINISHED (${status})`;
  const census = CALL_OUTCOMES.filter((outcome) => outcome !== "ok").flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const drops = dropped === 0 ? [] : [`${dropped} dropped`];
  return [`VERDICT: ${head} — ${completed}/${total} agents complete`, ...drops, ...census].join(
    ", ",
  );
}
