/** What a resume would do, as text. */
import { counted } from "../../lib/counted.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { PlannedCall, ResumePlan } from "../../workflow/run/resume-plan.ts";

const LABEL_LENGTH = 30;

export function planText(plan: ResumePlan): string {
  const rows = [
    ...plan.calls.map((call) => [call.result, nameOf(call), call.scope || "top", about(call)]),
    ...plan.not_reached.map((call) => ["not reached", nameOf(call), call.scope || "top", ""]),
  ];
  return [
    `Plan of workflow ${plan.id}:`,
    ...aligned(rows),
    ...(plan.script_changed ? ["Script changed since original run"] : []),
    ...(plan.error === undefined ? [] : [`The script would fail: ${plan.error}`]),
    `${counted(plan.hits, "call")} from the journal, ${plan.adopts} to take over, ${plan.misses} to run, ${plan.not_reached.length} not reached`,
  ].join("\n");
}

function nameOf({ label }: { readonly label: string }): string {
  return oneLine(label, LABEL_LENGTH) || "(no label)";
}

function about({ reason, prompt_preview }: PlannedCall): string {
  return reason ?? prompt_preview;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    `- ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}
