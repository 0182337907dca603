/** The calls of two runs: how many are the same, where they part, and a line for each that differs. */
import { formatDuration } from "../../../lib/duration.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import type { Change, ComparedCall } from "../../../workflow/comparison/compared-calls.ts";
import type { CallSide } from "../../../workflow/comparison/recorded-calls.ts";
import type { Divergence, RunComparison } from "../../../workflow/comparison/run-comparison.ts";
import type { Format } from "../../colours.ts";
import { type Column, type TableOptions, tableLines } from "../table.ts";

const SIGNS: Readonly<Record<Change, string>> = {
  same: "=",
  differs: "~",
  only_before: "-",
  only_after: "+",
};
const FORMATS: Readonly<Partial<Record<Change, Format>>> = {
  differs: "yellow",
  only_before: "red",
  only_after: "green",
};

export function callLines(comparison: RunComparison, options: TableOptions): readonly string[] {
  const { calls, calls_by_change: counts, before, after, first_divergence: first } = comparison;
  const different = calls.filter(({ change }) => change !== "same");
  return [
    "",
    `Calls: ${counts.same} the same, ${counts.differs} different, ${counts.only_before} only in ${before.id}, ${counts.only_after} only in ${after.id}`,
    ...(first === undefined ? [] : [`They part at: ${divergence(first)}`]),
    ...(different.length === 0 ? [] : ["", ...tableLines(different, COLUMNS, options)]),
  ];
}

/** Its label, else what it is and where it is made. */
export function callName({
  label,
  primitive = "call",
  scope,
}: Pick<ComparedCall, "label" | "scope"> & { readonly primitive?: string }): string {
  if (label !== undefined) return visibleName(oneLine(label));
  return scope === "" ? primitive : `${primitive} at ${visibleName(scope)}`;
}

function divergence(first: Divergence): string {
  const ids = [first.before, first.after].filter((id) => id !== undefined).join(", ");
  const what = {
    differs: first.differs.join(", "),
    only_before: "only the first run made it",
    only_after: "only the second run made it",
  }[first.change];
  return `${callName(first)} (${ids}): ${what}`;
}

const COLUMNS: readonly Column<ComparedCall>[] = [
  { title: "", cell: ({ change }) => SIGNS[change], format: ({ change }) => FORMATS[change] },
  { title: "Call", cut: "end", cell: callName, format: ({ change }) => FORMATS[change] },
  {
    title: "Differs in",
    cut: "end",
    cell: ({ change, differs }) => (change === "differs" ? differs.join(", ") : ""),
  },
  {
    title: "Duration",
    cell: (call) =>
      both(call, ({ duration_ms: ms }) => (ms === undefined ? "?" : formatDuration(ms))),
  },
  { title: "Cost", cell: (call) => both(call, ({ cost_usd: cost }) => `$${cost.toFixed(4)}`) },
];

/** One value where both are the same. */
function both({ before, after }: ComparedCall, value: (side: CallSide) => string): string {
  const values = [before, after].flatMap((side) => (side === undefined ? [] : [value(side)]));
  return [...new Set(values)].join(" → ");
}
