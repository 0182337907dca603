/** How a run stands at one moment, as `watch` shows it. Pure. */
import type { ErrorData } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import { type AgentCounts, currentCalls, statusReport } from "../reports/status.ts";
import type {
  AgentRecord,
  AgentStatus,
  GateRecord,
  PhaseRecord,
  RunStatus,
  Snapshot,
} from "../run/types.ts";
import type { Pace } from "./pace.ts";

export interface WatchedAgent {
  readonly id: string;
  readonly label?: string;
  readonly phase?: string;
  readonly provider: string;
  readonly model?: string;
  readonly status: AgentStatus;
  readonly outcome?: AgentRecord["outcome"];
  readonly started_at: string;
  /** Absent while it works. */
  readonly ended_at?: string;
  readonly cost_usd: number;
  readonly error?: string;
  /** What it printed last, while it works. */
  readonly last_line?: string;
}

export interface WatchedPhase {
  readonly name: string;
  readonly status: PhaseRecord["status"];
}

export interface WatchedGate {
  readonly name: string;
  readonly message?: string;
  readonly opened_at: string;
  /** Commands that decide it. */
  readonly next: readonly string[];
}

export interface WatchFrame extends AgentCounts, Pace {
  readonly id: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly verdict: string;
  /** UTC. */
  readonly at: string;
  /** Nothing follows: nobody executes the run any more. */
  readonly final: boolean;
  readonly agents_total: number;
  readonly phases: readonly WatchedPhase[];
  /** In the order in which they started; of several attempts at one call the latest. */
  readonly agents: readonly WatchedAgent[];
  /** Gates that wait for a person. */
  readonly gates: readonly WatchedGate[];
  /** Why a run that has ended counts as failed, and what to do. */
  readonly failure?: ErrorData;
}

export interface FrameParts {
  readonly snapshot: Snapshot;
  readonly pace: Pace;
  readonly at: string;
  readonly final: boolean;
  readonly gates: readonly WatchedGate[];
  readonly failure?: ErrorData;
  /** By call. */
  readonly lastLines: ReadonlyMap<string, string>;
}

export function frameOf(parts: FrameParts): WatchFrame {
  const { snapshot, pace, at, final, gates, failure, lastLines } = parts;
  const report = statusReport(snapshot);
  return {
    id: report.id,
    task: report.task,
    status: report.status,
    verdict: report.verdict,
    at,
    final,
    ...pace,
    agents_total: report.agents_total,
    agents_running: report.agents_running,
    agents_completed: report.agents_completed,
    agents_failed: report.agents_failed,
    agents_stopped: report.agents_stopped,
    agents_paused: report.agents_paused,
    agents_interrupted: report.agents_interrupted,
    phases: snapshot.phases.map(({ name, status }) => ({ name, status })),
    agents: currentCalls(snapshot.agents).map((agent) => watchedAgent(agent, lastLines)),
    gates,
    ...optional({ failure }),
  };
}

function watchedAgent(agent: AgentRecord, lastLines: FrameParts["lastLines"]): WatchedAgent {
  const { id, label, phase, provider, model, status, outcome, error } = agent;
  const isAtWork = status === "running";
  return {
    id,
    ...optional({ label, phase }),
    provider,
    ...optional({ model }),
    status,
    ...optional({ outcome }),
    started_at: agent.created_at,
    ...optional({ ended_at: isAtWork ? undefined : (agent.completed_at ?? agent.updated_at) }),
    cost_usd: agent.estimated_cost_usd ?? 0,
    ...optional({ error, last_line: (isAtWork && lastLines.get(id)) || undefined }),
  };
}

/** Gates that are open and wait for a person. */
export function waitingGates(
  gates: readonly GateRecord[],
  commands: (name: string) => readonly string[],
): WatchedGate[] {
  return gates
    .filter(({ status, manual }) => status === "open" && manual)
    .map(({ name, message, opened_at }) => ({
      name,
      ...optional({ message }),
      opened_at,
      next: commands(name),
    }));
}

/** What makes one moment another than the one before; time alone does not. */
export function contentOf(frame: WatchFrame): string {
  const {
    at: _at,
    elapsed_ms: _elapsed,
    usd_per_minute: _usd,
    agents_per_minute: _agents,
    ...rest
  } = frame;
  return JSON.stringify(rest);
}
