/** A run as text. */
import { isRecord, parseJson } from "../../lib/json.ts";
import { oneLine } from "../../lib/one-line.ts";
import { currentCalls } from "../../workflow/reports/status.ts";
import {
  type AgentRecord,
  NATIVE_PROVIDER,
  type RunFailure,
  type Snapshot,
} from "../../workflow/run/types.ts";

/** What `workflow run` and `resume` print: the records, what was dropped, the result. */
export function runText(snapshot: Snapshot): string {
  const { failures = [], result = "" } = snapshot.run;
  return [
    snapshotText(snapshot),
    ...droppedLines(failures),
    "",
    "Result:",
    result === "" ? "(none)" : result,
  ].join("\n");
}

export function snapshotText({ run, phases, agents }: Snapshot): string {
  return [
    `Workflow ${run.id}: ${run.status}`,
    `Task: ${oneLine(run.task)}`,
    "Phases:",
    ...phases.map(
      ({ name, status, agent_count }) => `- ${oneLine(name)} ${status} agents=${agent_count}`,
    ),
    "Agents:",
    ...agentLines(agents),
    ...(run.error === undefined ? [] : [`Error: ${run.error}`]),
    ...(run.collected_at === undefined ? [] : [collectedLine(run.collected_at)]),
  ].join("\n");
}

/** Says of a run whose files were removed that paths in its records lead nowhere. */
export function collectedLine(at: string): string {
  return `Collected: ${at}; its files are gone, it cannot be resumed, applied or reverted`;
}

/** A line per call, the latest attempt at each. */
export function agentLines(agents: readonly AgentRecord[]): string[] {
  return currentCalls(agents).flatMap((agent) => [
    `- ${oneLine(agent.label ?? agent.id)} ${agent.status}${verdict(agent)} mode=${agent.mode} phase=${oneLine(agent.phase ?? "")}`,
    ...(agent.patch_path === undefined ? [] : [`  patch: ${agent.patch_path}`]),
    ...(agent.error === undefined ? [] : [`  error: ${agent.error}`]),
  ]);
}

/** What a check that ran, or a person who decided a gate, said: such a call is `completed` either way. */
function verdict({ provider, output }: AgentRecord): string {
  if (provider !== NATIVE_PROVIDER || output === undefined) return "";
  const result = parseJson(output);
  if (!isRecord(result)) return "";
  if (typeof result.approved === "boolean") return result.approved ? " (approved)" : " (rejected)";
  return result.ok === true ? " (ok)" : ` (not ok, exit ${String(result.exit_code)})`;
}

export function droppedLines(failures: readonly RunFailure[]): string[] {
  if (failures.length === 0) return [];
  return [
    "Dropped items:",
    ...failures.map(
      ({ label, phase, error }) =>
        `- ${oneLine(label ?? "item")} phase=${oneLine(phase ?? "")} error=${error}`,
    ),
  ];
}
