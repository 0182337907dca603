import type { CollectReport } from "../../workflow/gc/collect-runs.ts";
import type { ReconciledRun } from "../../workflow/run/reconcile.ts";

/** What was removed, or would be, and before that which runs were marked. */
export function gcText(report: CollectReport): string {
  return [...reconciledLines(report.reconciled ?? []), ...removedLines(report)].join("\n");
}

function removedLines({ removed, count, bytes_freed, dry_run }: CollectReport): string[] {
  if (count === 0) return ["Workflow gc removed no run directories."];
  const verb = dry_run === true ? "would remove" : "removed";
  return [
    `Workflow gc ${verb} ${count} run directories (${bytes_freed} bytes freed):`,
    ...removed.map(({ id, bytes, path }) => `- ${id} (${bytes} bytes) ${path}`),
  ];
}

function reconciledLines(runs: readonly ReconciledRun[]): string[] {
  if (runs.length === 0) return [];
  const agents = runs.reduce((sum, { agents_reconciled }) => sum + agents_reconciled, 0);
  return [
    `Reconciled ${runs.length} stale run(s), ${agents} agent(s):`,
    ...runs.map((run) => `- ${run.run_id} -> interrupted (${run.agents_reconciled} agents)`),
  ];
}
