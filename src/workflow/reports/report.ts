/** `workflow report`: what a run found, put together from the answers of its agents and its result. */
import { toDollars } from "../../lib/money.ts";
import { optional } from "../../lib/optional.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { RelatedSession } from "../powers.ts";
import { sessionsOfRun } from "../run/call-sessions.ts";
import type { DecisionRecord } from "../run/decision-search.ts";
import { listFailures, type RunRow, requireArtifact, runRecord } from "../run/store.ts";
import { type AgentStatus, IS_AGENT, type RunFailure, type RunStatus } from "../run/types.ts";
import { readTallies } from "./newest-runs.ts";
import { type Said, saidIn } from "./said.ts";
import { statusOf } from "./status.ts";

/** Of several attempts at one call the latest. Absent fields were empty. */
export interface ReportedAgent {
  /** Its id where it has no label. */
  readonly label: string;
  readonly phase?: string;
  readonly provider?: string;
  readonly repo?: string;
  readonly mode: string;
  readonly status: AgentStatus;
  readonly estimated_cost_usd?: number;
  /** What it says itself, else the beginning of its answer. */
  readonly summary?: string;
  readonly risks?: readonly string[];
  readonly error?: string;
  /** The session that it had, as its provider's own program names it. */
  readonly session_id?: string;
}

export interface WorkflowReport {
  readonly id: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly verdict: string;
  readonly owned_session_id?: string;
  readonly summary: string;
  readonly findings?: readonly string[];
  readonly risks?: readonly string[];
  readonly next_steps?: readonly string[];
  /** Absolute paths. */
  readonly patches?: readonly string[];
  readonly agents: readonly ReportedAgent[];
  readonly failures?: readonly RunFailure[];
  readonly error?: string;
  /** Those of the run, then those of its repository that hold its task. */
  readonly decisions?: readonly DecisionRecord[];
  /** Only where they were asked for. */
  readonly related_sessions?: readonly RelatedSession[];
}

interface AgentRow {
  readonly id: string;
  readonly label: string;
  readonly phase: string;
  readonly provider: string;
  readonly repo: string;
  readonly mode: string;
  readonly status: AgentStatus;
  readonly cost_micros: number;
  readonly error: string | null;
  readonly patch_path: string | null;
  readonly output_artifact: string | null;
}

/** Bytes of an answer that stand for a summary. */
const BEGINNING = 240;

/** But for decisions and sessions. Answers are read one at a time: all together may be large. */
export function readReport(reader: Reader, row: RunRow): WorkflowReport {
  const failures = listFailures(reader, row.id);
  const { task, status, verdict, error } = statusOf(
    runRecord(row, failures),
    readTallies(reader, [row.id])(row.id),
  );
  const rows = reader.all<AgentRow>(
    `SELECT id, label, phase, provider, repo, mode, status, cost_micros, error, patch_path,
       output_artifact FROM workflow_calls
     WHERE run_id = ? AND superseded = 0 AND ${IS_AGENT} ORDER BY call_index`,
    row.id,
  );
  const sessions = new Map(
    sessionsOfRun(reader, row.id).map(({ call_id, session_id }) => [call_id, session_id]),
  );
  const answers = rows.map((agent) => reportedAgent(reader, agent, sessions.get(agent.id)));
  const result = saidIn(row.result ?? "");
  const said = [...answers.map((answer) => answer.said), result];
  const patches = rows.flatMap(({ patch_path }) => patch_path ?? []);
  return {
    id: row.id,
    task,
    status,
    verdict,
    ...optional({ owned_session_id: row.owned_session_id ?? undefined }),
    summary: result.summary ?? defaultSummary(reader, row, answers.length),
    ...filledLists({
      findings: together(said.flatMap(({ findings }) => findings)),
      risks: together(said.flatMap(({ risks }) => risks)),
      next_steps: together(said.flatMap(({ nextSteps }) => nextSteps)),
      patches,
    }),
    agents: answers.map(({ agent }) => agent),
    ...filledLists({ failures }),
    ...optional({ error }),
  };
}

function reportedAgent(
  reader: Reader,
  row: AgentRow,
  session_id: string | undefined,
): { readonly agent: ReportedAgent; readonly said: Said } {
  const answer = row.output_artifact === null ? "" : requireArtifact(reader, row.output_artifact);
  const said = saidIn(answer);
  const agent = {
    label: row.label || row.id,
    ...optional({
      phase: row.phase || undefined,
      provider: row.provider || undefined,
      repo: row.repo || undefined,
    }),
    mode: row.mode,
    status: row.status,
    ...optional({
      estimated_cost_usd: row.cost_micros === 0 ? undefined : toDollars(row.cost_micros),
      summary: said.summary ?? (beginning(answer.trim()) || undefined),
    }),
    ...filledLists({ risks: said.risks }),
    ...optional({ error: row.error || undefined, session_id }),
  };
  return { agent, said };
}

/** No character is cut in two. */
function beginning(text: string): string {
  const bytes = Buffer.from(text.slice(0, BEGINNING + 1));
  if (bytes.length <= BEGINNING) return text;
  const whole = new TextDecoder().decode(bytes.subarray(0, BEGINNING), { stream: true });
  return `${whole}...`;
}

function defaultSummary(reader: Reader, { id, status }: RunRow, agents: number): string {
  const phases = reader.get<{ phases: number }>(
    "SELECT count(*) AS phases FROM workflow_phases WHERE run_id = ?",
    id,
  );
  return `Workflow ${id} ${status} with ${agents} agents across ${phases?.phases ?? 0} phases.`;
}

function together(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The lists that hold something. */
function filledLists<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> {
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list.length > 0),
  ) as Partial<Lists>;
}
