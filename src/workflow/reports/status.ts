/** How a run stands: counts, outcomes and the verdict line. Pure. */
import type { CallOutcome } from "../../providers/contract.ts";
import {
  type AgentRecord,
  type AgentStatus,
  FINAL_STATUSES,
  type RunFailure,
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

export interface StatusReport extends AgentCounts {
  readonly id: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly verdict: string;
  readonly phases_total: number;
  readonly phases_completed: number;
  readonly agents_total: number;
  /** Settled calls per outcome; only outcomes that occurred. */
  readonly outcomes: Readonly<Partial<Record<CallOutcome, number>>>;
  /** Entries of the run's failure list. */
  readonly dropped: number;
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
  const counts = agentCounts(agents);
  const outcomes: Partial<Record<CallOutcome, number>> = {};
  for (const { outcome } of agents) {
    if (outcome !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const dropped = run.failures?.length ?? 0;
  return {
    id: run.id,
    task: run.task,
    status: run.status,
    verdict: verdict(run.status, counts.agents_completed, agents.length, dropped, outcomes),
    phases_total: phases.length,
    phases_completed: phases.filter(({ status }) => status === "completed").length,
    agents_total: agents.length,
    ...counts,
    outcomes,
    dropped,
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
    byPhase[phase] = agentCounts(agents.filter((agent) => (agent.phase ?? "") === phase));
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

function agentCounts(agents: readonly AgentRecord[]): AgentCounts {
  const count = (wanted: AgentStatus) => agents.filter(({ status }) => status === wanted).length;
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
  completed: number,
  total: number,
  dropped: number,
  outcomes: Readonly<Partial<Record<CallOutcome, number>>>,
): string {
  const head =
    status === "completed"
      ? "FINISHED"
      : FINAL_STATUSES.includes(status)
        ? `FINISHED (${status})`
        : `NOT FINISHED (${status})`;
  const census = Object.entries(outcomes)
    .filter(([outcome]) => outcome !== "ok")
    .map(([outcome, count]) => `${count} ${outcome}`);
  const drops = dropped === 0 ? [] : [`${dropped} dropped`];
  return [`VERDICT: ${head} — ${completed}/${total} agents complete`, ...drops, ...census].join(
    ", ",
  );
}
