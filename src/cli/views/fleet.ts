/** What runs and what waits, as text. */
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import type { FleetReport } from "../../workflow/reports/fleet.ts";
import type { StatusReport } from "../../workflow/reports/status.ts";
import { painter } from "./diff/unified.ts";
import { reconciledLines, STATUS_FORMATS, STATUS_ORDER } from "./overview.ts";
import { type Column, type TableOptions, tableLines } from "./table.ts";

const MOST_RECENT = 10;
/** Characters of a time up to its minutes. */
const MINUTES = 16;

export function fleetText(report: FleetReport, options: TableOptions): string {
  const { active_runs: active = [], recent_runs: recent = [], runs_by_status: counts } = report;
  const byStatus = STATUS_ORDER.filter((status) => counts[status] !== undefined);
  const more = recent.length - MOST_RECENT;
  const paint = painter(options.colours);
  return [
    ...reconciledLines(report.reconciled),
    paint("bold", "Workflow fleet status"),
    `Runs: ${report.runs_total}`,
    `Triggers: ${report.enabled_triggers} enabled / ${report.triggers_total} total`,
    `Agents: ${report.running_agents} running, ${report.paused_agents} paused, ${report.failed_agents} failed`,
    ...(byStatus.length === 0 ? [] : ["", paint("bold", "Runs by status:")]),
    ...byStatus.map((status) => `- ${paint(STATUS_FORMATS[status], status)}: ${counts[status]}`),
    ...(active.length === 0 ? [] : ["", paint("bold", "Active runs:")]),
    ...active.map(
      ({ id, status, task }) =>
        `- ${id} ${paint(STATUS_FORMATS[status], status)} ${printable(oneLine(task, 100))}`,
    ),
    ...(recent.length === 0
      ? []
      : [
          "",
          paint("bold", "Recent runs:"),
          ...tableLines(recent.slice(0, MOST_RECENT), COLUMNS, options),
        ]),
    ...(more > 0 ? [`and ${more} more (--json lists all)`] : []),
  ].join("\n");
}

const COLUMNS: readonly Column<StatusReport>[] = [
  { title: "Run", cell: ({ id }) => id },
  { title: "Status", cell: ({ status }) => status, format: ({ status }) => STATUS_FORMATS[status] },
  {
    title: "Agents",
    align: "right",
    cell: ({ agents_completed: completed, agents_total: total }) => `${completed}/${total}`,
  },
  { title: "Changed (UTC)", cell: ({ updated_at: at }) => at.slice(0, MINUTES).replace("T", " ") },
  { title: "Task", cut: "end", cell: ({ task }) => printable(oneLine(task, 100)) },
];
