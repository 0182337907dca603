/** Takes what an edit agent did out of its working tree, and puts it on file. */
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { readTextFile } from "../../platform/files.ts";
import type { Capture, RepoEdits } from "../edits/repo-edits.ts";
import type { Workspace } from "../edits/run-edits.ts";
import { type PatchFile, writePatch } from "../edits/trees/patch.ts";
import type { TreeChange } from "../edits/trees/tree.ts";
import type { EditedFile, EditReceipt } from "../run/types.ts";
import type { Execution } from "./execution.ts";

/** A change of a worker, taken from its working tree; it waits to be merged with the others. */
export interface CapturedEdit {
  readonly repo: RepoEdits;
  readonly capture: Capture;
  readonly patch: PatchFile;
  readonly receipt: EditReceipt;
}

/** @throws PalliumError when it could not be taken; then everything is still in the working tree. */
export async function captureEdit(
  execution: Execution,
  { repo, worktree, seen, watch }: Workspace,
  callId: string,
  { name, ignored }: { readonly name: string; readonly ignored: readonly string[] },
): Promise<CapturedEdit | undefined> {
  if (repo === undefined || worktree === undefined) return undefined;
  const capture = await repo.capture(worktree, { ignored });
  const path = join(execution.directory, "patches", `${callId}.patch`);
  const patch = await writePatch(repo.store, path, capture.from, capture.to);
  const changed = await watch?.changed();
  for (const file of capture.skipped) {
    execution.warn(
      `${name}: ${visibleName(file)} is no file that a patch can hold; it is left out`,
    );
  }
  if (changed !== undefined && changed.length > 0) {
    const files = counted(changed.length, "file");
    execution.warn(
      `${name}: ${files} of the checkout changed while it worked: ${changed.map(visibleName).join(", ")}`,
    );
  }
  const receipt = await editReceipt(execution, name, { repo, capture, patch, seen });
  return {
    repo,
    capture,
    patch,
    receipt: {
      ...receipt,
      worktree: worktree.root,
      ...(changed === undefined ? {} : { checkout_changed: changed }),
    },
  };
}

/** What there is to know of a change that is on file; secrets in it are told of. */
export async function editReceipt(
  { scanPatch, warn }: Execution,
  name: string,
  { repo, capture, patch, seen }: Omit<CapturedEdit, "receipt"> & Pick<EditReceipt, "seen">,
): Promise<EditReceipt> {
  const { findings } = await scanPatch((await readTextFile(patch.path)) ?? "");
  for (const { file, line, rule } of findings) {
    warn(`${name}: ${visibleName(file)}:${line} looks like a secret (${rule})`);
  }
  return {
    root: repo.place.root,
    base_commit: repo.base?.commit ?? "",
    from_tree: capture.from,
    to_tree: capture.to,
    patch: patch.path,
    patch_sha256: patch.hash,
    files: capture.changes.map(editedFile),
    skipped: capture.skipped,
    secrets: findings,
    seen,
  };
}

function editedFile({ path, before, after }: TreeChange): EditedFile {
  if (before === undefined) return { path, change: "added" };
  return { path, change: after === undefined ? "deleted" : "modified" };
}
