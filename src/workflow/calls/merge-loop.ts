/** The end of a loop of fixes: all of them as one edit of the run. */
import { INTERNAL_PROVIDER } from "../run/types.ts";
import type { CallSite, PreparedCall, WorkResult } from "./call.ts";
import { editReceipt } from "./edit-work.ts";
import type { CallSetting, Execution } from "./execution.ts";
import type { LoopChange } from "./loop-place.ts";

/** A call that no worker does: it merges what the loop changed. */
export function mergeLoop(
  { args, cwd }: CallSetting,
  site: CallSite,
  { command, label }: { readonly command: string; readonly label: string },
  change: LoopChange,
): PreparedCall {
  const name = `${label}-patch`;
  return {
    site,
    plan: {
      content: {
        primitive: "verify.untilGreen",
        prompt: command,
        label: name,
        provider: "",
        model: "",
        mode: "edit",
        isolation: "worktree",
        repo: cwd,
        schema: null,
        args,
        network: false,
        change: [change.content.tree, change.to],
      },
      label: name,
      prompt: command,
      providers: [INTERNAL_PROVIDER],
      repo: cwd,
      schemaHash: "",
      kind: "merge",
      work: (execution) => asEdit(execution, name, change),
    },
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
