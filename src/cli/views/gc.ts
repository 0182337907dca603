import type { RemovedFolder } from "../../workflow/gc/collect-run.ts";
import type { CollectReport } from "../../workflow/gc/collect-runs.ts";
import type { ReconciledRun } from "../../workflow/run/reconcile.ts";

/** What was removed, or would be, and before that which runs were marked. */
export function gcText(report: CollectReport): string {
  return [
    ...reconciledLines(report.reconciled ?? []),
    ...removedLines(report),
    ...(report.bytes_kept === undefined
      ? []
      : [`Workflow gc keeps ${report.bytes_kept} bytes of at most ${report.max_bytes}.`]),
  ].join("\n");
}

function removedLines({ removed, left_overs, dry_run }: CollectReport): string[] {
  const verb = dry_run === true ? "would remove" : "removed";
  return [
    ...(removed.length === 0
      ? ["Workflow gc removed no run directories."]
      : folderLines(`Workflow gc ${verb} ${removed.length} run directories`, removed)),
    ...(left_overs.length === 0
      ? []
      : folderLines(`Workflow gc ${verb} ${left_overs.length} left-over folders`, left_overs)),
  ];
}

function folderLines(head: string, folders: readonly RemovedFolder[]): string[] {
  const freed = folders.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    `${head} (${freed} bytes freed):`,
    ...folders.map(({ id, bytes, path }) => `- ${id} (${bytes} bytes) ${path}`),
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
