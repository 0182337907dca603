/** Whether a script does the same however its calls complete, and where it does not. */
import { counted } from "../../lib/counted.ts";
import { oneLine } from "../../lib/one-line.ts";
import type {
  Determinism,
  DivergingCall,
  TriedOrder,
} from "../../workflow/rehearsal/determinism.ts";

const ORDERS: Readonly<Record<TriedOrder["order"], string>> = {
  first: "first made, first done",
  last: "last made, first done",
  random: "drawn with seed",
};

export function determinismText(report: Determinism): string {
  return [...verdictLines(report), ...report.notes.map((note) => `Note: ${note}`)].join("\n");
}

function verdictLines({ script, orders, calls_compared, divergence }: Determinism) {
  if (divergence === undefined) {
    return [
      `${script} is deterministic: ${counted(calls_compared, "call")} compared, the same in ${orders.length} orders of completion.`,
    ];
  }
  const { one, other, one_order, other_order, reason, kind } = divergence;
  const names = [nameOf(one_order), nameOf(other_order)];
  const width = Math.max(...names.map(({ length }) => length));
  const sides = [one, other].map(
    (call, side) => `  ${(names[side] ?? "").padEnd(width)}  ${callText(call)}`,
  );
  return [
    `${script} is not deterministic: it depends on the order in which calls complete.`,
    ...(kind === "call"
      ? ["First call that differs:", ...sides]
      : names.map((name) => `  ${name}`)),
    `  ${oneLine(reason, 200)}`,
  ];
}

function nameOf({ order, seed }: TriedOrder): string {
  return seed === undefined ? ORDERS[order] : `${ORDERS[order]} ${seed}`;
}

function callText(call: DivergingCall | undefined): string {
  if (call === undefined) return "no such call";
  const { line, workflow, primitive, label, prompt } = call;
  const place = line === undefined ? "line unknown" : `line ${line}`;
  const file = workflow === undefined ? "" : ` of ${workflow}`;
  const name = label === "" ? "" : ` ${JSON.stringify(oneLine(label, 60))}`;
  return `${place}${file}: ${primitive}${name}: ${prompt}`;
}
