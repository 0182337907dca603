/** The end of a loop of fixes: all of them as one edit of the run. */
import { INTERNAL_PROVIDER } from "../run/types.ts";
import type { CallSite, PreparedCall, WorkResult } from "./call.ts";
import { editReceipt } from "./edit-work.ts";
import type { CallSetting, Execution } from "./execution.ts";
import type { LoopChange } from "./loop-place.ts";
import { runnerPlan } from "./runner-plan.ts";

/** A call that no worker does: it merges what the loop changed. */
export function mergeLoop(
  setting: CallSetting,
  site: CallSite,
  { command, label }: { readonly command: string; readonly label: string },
  change: LoopChange,
): PreparedCall {
  const name = `${label}-patch`;
  return {
    site,
    plan: runnerPlan(setting, {
      primitive: "verify.untilGreen",
      prompt: command,
      label: name,
      mode: "edit",
      isolation: "worktree",
      change: [change.content.tree, change.to],
      provider: INTERNAL_PROVIDER,
      kind: "merge",
      work: (execution) => asEdit(execution, name, change),
    }),
    value: () => null,
  };
}

async function asEdit(
  execution: Execution,
  name: string,
  { repo, content, to, changes, patch }: LoopChange,
): Promise<WorkResult> {
  const capture = { from: content.tree, to, changes, skipped: [] };
  const receipt = await editReceipt(execution, name, { repo, capture, patch, seen: content.seen });
  return { ok: true, output: "", seen: content.seen, edit: { repo, capture, patch, receipt } };
}
