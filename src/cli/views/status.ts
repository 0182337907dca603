/** The status and the full report of a run as text; the verdict comes first. */
import type { Inspection, StatusReport } from "../../workflow/reports/status.ts";
import { droppedLines } from "./run.ts";

export function statusText(status: StatusReport): string {
  return [
    status.verdict,
    `Workflow ${status.id}: ${status.status}`,
    `Task: ${status.task}`,
    `Phases: ${status.phases_completed}/${status.phases_total} completed`,
    `Agents: ${status.agents_completed} completed, ${status.agents_running} running, ${status.agents_failed} failed, ${status.agents_paused} paused, ${status.agents_stopped} stopped, ${status.agents_interrupted} interrupted, ${status.agents_total} total`,
    `Updated: ${status.updated_at}`,
    ...(status.script_changed === true ? ["Script changed since original run"] : []),
    ...(status.completed_at === undefined ? [] : [`Completed: ${status.completed_at}`]),
    ...(status.error === undefined ? [] : [`Error: ${status.error}`]),
  ].join("\n");
}

export function inspectionText(inspection: Inspection): string {
  return [
    statusText(inspection.status),
    `Script: ${inspection.script_path}`,
    "Phase stats:",
    ...Object.entries(inspection.by_phase).map(
      ([phase, counts]) =>
        `- ${phase === "" ? "(no phase)" : phase} completed=${counts.agents_completed} running=${counts.agents_running} failed=${counts.agents_failed}`,
    ),
    ...(inspection.failed_agents.length === 0
      ? []
      : [
          "Failed agents:",
          ...inspection.failed_agents.map(
            ({ id, label, error }) => `- ${label ?? id}: ${error ?? "no error recorded"}`,
          ),
        ]),
    ...droppedLines(inspection.failures),
    ...(inspection.result === undefined ? [] : ["Result recorded: yes"]),
  ].join("\n");
}
