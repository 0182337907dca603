import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { exists, isDirectory, readTextFile, realPath } from "../files.ts";
import type { Location } from "./locate.ts";
import { workingTreeTop } from "./working-tree-top.ts";

/** The beginning of what a `HEAD` holds. */
const HEAD = /^(?:ref: refs\/|[0-9a-f]{40})/;
/** What moves a working tree, or the rest of the settings, elsewhere. */
const MOVES = /worktree|include/i;

/**
 * Where a folder is whose repository lies as git makes it: in a folder `.git` at the top of the
 * working tree, with nothing set that says otherwise. Found without git, which may still refuse to
 * work there: who needs to know that asks git something else.
 * @returns `undefined` where only `locate` can tell.
 */
export async function usualLocation(
  cwd: string,
): Promise<Required<Pick<Location, "commonDir" | "top">> | undefined> {
  try {
    if (!(await isDirectory(cwd))) return undefined;
    const top = await workingTreeTop(await realPath(cwd));
    const commonDir = join(top, ".git");
    return (await isUsual(commonDir)) ? { commonDir, top } : undefined;
  } catch (error) {
    if (error instanceof PalliumError) return undefined;
    throw error;
  }
}

async function isUsual(commonDir: string): Promise<boolean> {
  const [head, config, hasObjects, hasRefs, isOfAnother] = await Promise.all([
    readTextFile(join(commonDir, "HEAD")),
    readTextFile(join(commonDir, "config")),
    isDirectory(join(commonDir, "objects")),
    isDirectory(join(commonDir, "refs")),
    exists(join(commonDir, "commondir")),
  ]);
  if (head === undefined || config === undefined || isOfAnother) return false;
  if (!hasObjects || !hasRefs || !HEAD.test(head) || MOVES.test(config)) return false;
  return (await realPath(commonDir)) === commonDir;
}
