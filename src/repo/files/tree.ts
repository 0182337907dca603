import { decodePath } from "../../lib/git-path.ts";
import type { Git } from "../../platform/git/runner.ts";
import { nulFields } from "./nul-fields.ts";

/** A file of a commit. Symbolic links and submodules are none. */
export interface TreeFile {
  readonly path: string;
  /** Hash of its content. */
  readonly blob: string;
  /** In bytes; absent where it was not asked for. */
  readonly size?: number;
}

const TAB = 0x09;
const ENTRY = /^100\d{3} blob ([0-9a-f]+)(?: +(\d+))?$/;

/**
 * The files of a commit, in the order of git.
 * @param withSizes must be false in a partial clone: git would fetch every file to measure it.
 */
export async function readTree(
  git: Git,
  root: string,
  commit: string,
  withSizes: boolean,
): Promise<readonly TreeFile[]> {
  const files: TreeFile[] = [];
  const args = ["ls-tree", "-r", "-z", "--full-tree", ...(withSizes ? ["-l"] : []), commit];
  for await (const field of nulFields(git.stream(args, { cwd: root }))) {
    const tab = field.indexOf(TAB);
    const [, blob, size] = ENTRY.exec(field.toString("latin1", 0, tab)) ?? [];
    if (blob === undefined) continue;
    const path = decodePath(field.subarray(tab + 1));
    files.push(size === undefined ? { path, blob } : { path, blob, size: Number(size) });
  }
  return files;
}
