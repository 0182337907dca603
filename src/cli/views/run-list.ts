import { oneLine } from "../../lib/one-line.ts";
import type { RunRecord } from "../../workflow/run/types.ts";

export function runListText(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return "No workflow runs found.";
  return [
    "Workflow runs:",
    ...runs.map(({ id, status, task }) => `- ${id} ${status} ${oneLine(task, 100)}`),
  ].join("\n");
}
