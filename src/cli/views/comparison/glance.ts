/** Two runs beside each other, and whether they were asked the same and came to the same. */
import { formatDuration } from "../../../lib/duration.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import type {
  ComparedText,
  RunComparison,
  RunSide,
} from "../../../workflow/comparison/run-comparison.ts";
import type { RunStatus } from "../../../workflow/run/types.ts";
import { STATUS_FORMATS } from "../overview.ts";
import { type Column, type TableOptions, tableLines } from "../table.ts";

interface Row {
  readonly name: string;
  readonly value: (run: RunSide) => string;
  readonly isStatus?: true;
}

const ROWS: readonly Row[] = [
  { name: "Status", value: ({ status }) => status, isStatus: true },
  { name: "Task", value: ({ task }) => visibleName(oneLine(task, 60)) },
  {
    name: "Duration",
    value: ({ duration_ms: ms }) => (ms === undefined ? "not ended" : formatDuration(ms)),
  },
  { name: "Agents", value: ({ agents_total: total }) => number(total) },
  { name: "Cost", value: ({ cost_usd: cost }) => `$${cost.toFixed(4)}` },
  {
    name: "Tokens",
    value: ({ input_tokens: input, output_tokens: output }) =>
      `${number(input)} in, ${number(output)} out`,
  },
];

export function glanceLines(comparison: RunComparison, options: TableOptions): readonly string[] {
  const { before, after, scripts, args, result } = comparison;
  const columns: readonly Column<Row>[] = [
    { title: "", cell: ({ name }) => name },
    runColumn(before),
    runColumn(after),
  ];
  return [
    ...tableLines(ROWS, columns, options),
    "",
    ...scripts.map((script) => `Script ${visibleName(script.name)}: ${textChange(script)}`),
    `Arguments: ${textChange(args)}`,
    `Result: ${textChange(result)}`,
  ];
}

function runColumn(run: RunSide): Column<Row> {
  return {
    title: run.id,
    cut: "end",
    cell: ({ value }) => value(run),
    format: ({ isStatus }) =>
      isStatus === true ? STATUS_FORMATS[run.status satisfies RunStatus] : undefined,
  };
}

function textChange({ change, difference }: ComparedText): string {
  if (change === "same") return "the same";
  if (change === "only_before") return "only in the first run";
  if (change === "only_after") return "only in the second run";
  const { removed = 0, added = 0 } = difference ?? {};
  return removed + added === 0 ? "differs" : `differs (+${number(added)} −${number(removed)})`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
