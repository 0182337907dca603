/** What differs from the checked-out commit. */
import { decodePath } from "../lib/git-path.ts";
import type { Git } from "../platform/git/runner.ts";
import { nulFields } from "./files/nul-fields.ts";

/** A file that was changed and not committed, or is new and not ignored. */
export interface WorkingChange {
  readonly path: string;
  /** Git's two letters without blanks: `M`, `MM`, `A`, `D`, `R`, `??`. */
  readonly status: string;
  /** What a renamed file was called before. */
  readonly oldPath?: string;
}

/** Our own state, and that of the program before. */
const OWN_STATE = /^(?:\.pallium|\.codex-memory)(?:\/|$)|^\.(?:pallium|codex-memory)\.db$/;

/**
 * Changed, staged and new files in the order of git; what is ignored is not looked at, nor the inside
 * of nested repositories.
 * @param root top of the working tree.
 */
export async function workingChanges(git: Git, root: string): Promise<readonly WorkingChange[]> {
  const args = ["status", "--porcelain", "-z", "--untracked-files=all"];
  const changes: WorkingChange[] = [];
  let renamed: WorkingChange | undefined;
  for await (const field of nulFields(git.stream(args, { cwd: root }))) {
    if (renamed !== undefined) {
      changes.push({ ...renamed, oldPath: decodePath(field) });
      renamed = undefined;
      continue;
    }
    const status = field.toString("latin1", 0, 2).replaceAll(" ", "");
    const change = { path: decodePath(field.subarray(3)), status };
    if (/[RC]/.test(status)) renamed = change;
    else if (!OWN_STATE.test(change.path)) changes.push(change);
  }
  return changes;
}
