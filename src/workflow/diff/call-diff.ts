/** What one call of a run did by itself, as its own patch has it. */
import { PalliumError } from "../../lib/errors.ts";
import { readPieces } from "../../platform/bounded-read.ts";
import { isDirectory, isFile } from "../../platform/files.ts";
import {
  conflictedCall,
  diffedCall,
  findCall,
  isEdit,
  type RunCall,
  whoEdited,
} from "./edit-calls.ts";
import type { RepoDiff } from "./repo-diff.ts";

/**
 * Reads nothing but that patch: the repository may be gone.
 * @param name id, key or label of the call.
 * @throws PalliumError `call_not_found`, `call_ambiguous`, `no_patches`, `edit_objects_lost`
 */
export async function diffOfCall(
  calls: readonly RunCall[],
  runId: string,
  name: string,
): Promise<RepoDiff> {
  const call = findCall(calls, name);
  if (!isEdit(call)) throw await noPatch(calls, call);
  const { state, receipt } = call.edit;
  if (!(await isFile(receipt.patch))) throw patchLost(runId, receipt.patch);
  const conflict = conflictedCall(call);
  return {
    root: receipt.root,
    base_commit: receipt.base_commit,
    state,
    calls: [diffedCall(call)],
    conflicts: conflict === undefined ? [] : [conflict],
    patch: () => readPieces(receipt.patch),
  };
}

async function noPatch(
  calls: readonly RunCall[],
  { id, label, worktree }: RunCall,
): Promise<PalliumError> {
  const isLeft = worktree !== undefined && (await isDirectory(worktree));
  return new PalliumError("no_patches", `${label || id} left no patch`, {
    hints: [
      ...(isLeft ? [`what it did until it ended is in its working tree: ${worktree}`] : []),
      whoEdited(calls),
    ],
  });
}

function patchLost(runId: string, path: string): PalliumError {
  return new PalliumError("edit_objects_lost", `the patch is gone: ${path}`, {
    hints: [`what all agents came to together may be there: pallium workflow diff ${runId}`],
  });
}
