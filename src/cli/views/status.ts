/** The status and the full report of a run as text; the verdict comes first. */
import { oneLine } from "../../lib/one-line.ts";
import type { Inspection, StatusReport } from "../../workflow/reports/status.ts";
import type { RunStatus } from "../../workflow/run/types.ts";
import { agentLines, collectedLine, droppedLines } from "./run.ts";

const RESUMABLE: readonly RunStatus[] = ["paused", "interrupted", "stopped"];

export function statusText(status: StatusReport): string {
  return [
    status.verdict,
    `Workflow ${status.id}: ${status.status}`,
    `Task: ${oneLine(status.task)}`,
    `Phases: ${status.phases_completed}/${status.phases_total} completed`,
    `Agents: ${status.agents_completed} completed, ${status.agents_running} running, ${status.agents_failed} failed, ${status.agents_paused} paused, ${status.agents_stopped} stopped, ${status.agents_interrupted} interrupted, ${status.agents_total} total`,
    `Updated: ${status.updated_at}`,
    ...(status.script_changed === true ? ["Script changed since original run"] : []),
    ...(status.completed_at === undefined ? [] : [`Completed: ${status.completed_at}`]),
    ...(status.error === undefined ? [] : [`Error: ${status.error}`]),
    ...afterwards(status),
  ].join("\n");
}

function afterwards({ id, status, collected_at }: StatusReport): string[] {
  if (collected_at !== undefined) return [collectedLine(collected_at)];
  return RESUMABLE.includes(status) ? [`Go on: pallium workflow resume ${id}`] : [];
}

export function inspectionText(inspection: Inspection): string {
  return [
    statusText(inspection.status),
    `Script: ${inspection.script_path}`,
    "Phase stats:",
    ...Object.entries(inspection.by_phase).map(
      ([phase, counts]) =>
        `- ${phase === "" ? "(no phase)" : oneLine(phase)} completed=${counts.agents_completed} running=${counts.agents_running} failed=${counts.agents_failed}`,
    ),
    "Agents:",
    ...agentLines(inspection.agents),
    `Cost: ${costText(inspection)}`,
    ...droppedLines(inspection.failures),
    ...(inspection.result === undefined ? [] : ["Result recorded: yes"]),
  ].join("\n");
}

/** Bookkeeping, not billing: what was reported, and the flat estimate for the rest. */
function costText({ agents }: Inspection): string {
  const dollars = agents.reduce((sum, { estimated_cost_usd = 0 }) => sum + estimated_cost_usd, 0);
  return `$${dollars.toFixed(4)} (reported or estimated)`;
}
