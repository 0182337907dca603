/** What many runs came to, as text. */
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import type { AnalyticsReport } from "../../workflow/reports/analytics.ts";
import { type Format, styled } from "../colours.ts";
import { cellWidth } from "./cells.ts";
import { reconciledLines, STATUS_FORMATS, STATUS_ORDER } from "./overview.ts";
import { type Column, type TableOptions, tableLines } from "./table.ts";

const BAR_WIDTH = 20;

export function analyticsText(report: AnalyticsReport, options: TableOptions): string {
  const { runs_by_status: statuses, most_recent_run_id: newest } = report;
  const tables: readonly (readonly [string, readonly Count[]])[] = [
    ["Runs by status", runCounts(statuses)],
    ["Agents by status", countsOf(report.agents_by_status)],
    ["Agents by provider", countsOf(report.agents_by_provider)],
    ["Agents by mode", countsOf(report.agents_by_mode)],
  ];
  const filled = tables.filter(([, counts]) => counts.length > 0);
  const names = filled.flatMap(([title, counts]) => [title, ...counts.map(({ name }) => name)]);
  const width = Math.max(...names.map(cellWidth));
  return [
    ...reconciledLines(report.reconciled),
    options.colours ? styled("bold", "Workflow analytics") : "Workflow analytics",
    `Runs: ${report.runs_total}, completion rate ${percent(report.completion_rate)}`,
    `Agents: ${report.agents_total}, ${report.average_agents_per_run.toFixed(2)} per run`,
    `Patches: ${report.patches_produced}`,
    `Cost: $${report.estimated_cost_usd.toFixed(4)} (reported or estimated)`,
    `Tokens: ${number(report.input_tokens)} in, ${number(report.output_tokens)} out`,
    `Triggers: ${report.enabled_triggers} enabled / ${report.triggers_total} total`,
    ...(newest === undefined ? [] : [`Most recent run: ${newest}`]),
    ...filled.flatMap(([title, counts]) => [
      "",
      ...tableLines(counts, columns(title.padEnd(width), counts), options),
    ]),
  ].join("\n");
}

interface Count {
  readonly name: string;
  readonly count: number;
  readonly format?: Format;
}

function runCounts(statuses: AnalyticsReport["runs_by_status"]): readonly Count[] {
  return STATUS_ORDER.flatMap((name) => {
    const count = statuses[name];
    return count === undefined ? [] : [{ name, count, format: STATUS_FORMATS[name] }];
  });
}

function countsOf(counts: Readonly<Record<string, number>>): readonly Count[] {
  return Object.entries(counts).map(([name, count]) => ({ name: printable(oneLine(name)), count }));
}

function columns(title: string, counts: readonly Count[]): readonly Column<Count>[] {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...counts.map(({ count }) => count));
  return [
    { title, cut: "end", cell: ({ name }) => name, format: ({ format }) => format },
    { title: "   Count", align: "right", cell: ({ count }) => number(count) },
    { title: " Share", align: "right", cell: ({ count }) => percent(count / total) },
    {
      title: "",
      cell: ({ count }) => "█".repeat(Math.max(1, Math.round((count / most) * BAR_WIDTH))),
      format: () => "dim",
    },
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
