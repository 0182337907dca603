/** A run as text. */
import type { RunFailure, Snapshot } from "../../workflow/run/types.ts";

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
    `Task: ${run.task}`,
    "Phases:",
    ...phases.map(({ name, status, agent_count }) => `- ${name} ${status} agents=${agent_count}`),
    "Agents:",
    ...agents.flatMap(({ id, label, status, mode, phase, error }) => [
      `- ${label ?? id} ${status} mode=${mode} phase=${phase ?? ""}`,
      ...(error === undefined ? [] : [`  error: ${error}`]),
    ]),
    ...(run.error === undefined ? [] : [`Error: ${run.error}`]),
  ].join("\n");
}

export function droppedLines(failures: readonly RunFailure[]): string[] {
  if (failures.length === 0) return [];
  return [
    "Dropped items:",
    ...failures.map(
      ({ label, phase, error }) => `- ${label ?? "item"} phase=${phase ?? ""} error=${error}`,
    ),
  ];
}
