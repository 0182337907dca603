/** What texts on many runs have in common. */
import type { ReconciledRun } from "../../workflow/run/reconcile.ts";
import type { RunStatus } from "../../workflow/run/types.ts";
import type { Format } from "../colours.ts";

/** What goes on first, then what ended well. */
export const STATUS_ORDER: readonly RunStatus[] = [
  "queued",
  "running",
  "paused",
  "completed",
  "completed_with_failures",
  "failed",
  "stopped",
  "interrupted",
];

export const STATUS_FORMATS: Readonly<Record<RunStatus, Format>> = {
  queued: "cyan",
  running: "cyan",
  paused: "yellow",
  completed: "green",
  completed_with_failures: "yellow",
  failed: "red",
  stopped: "dim",
  interrupted: "yellow",
};

/** Whose runner was found dead by this very command. */
export function reconciledLines(reconciled: readonly ReconciledRun[] = []): readonly string[] {
  if (reconciled.length === 0) return [];
  const agents = reconciled.reduce((sum, { agents_reconciled }) => sum + agents_reconciled, 0);
  return [
    `Reconciled ${reconciled.length} stale run(s), ${agents} agent(s) to interrupted just now:`,
    ...reconciled.map(
      ({ run_id, agents_reconciled }) => `- ${run_id} (${agents_reconciled} agents)`,
    ),
    "",
  ];
}
