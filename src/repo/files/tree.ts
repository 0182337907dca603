/** Reads which files commits have. Symbolic links and submodules are none. */
import { decodePath } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import type { Git } from "../../platform/git/runner.ts";

export interface TreeFile {
  readonly path: string;
  /** Hash of its content. */
  readonly blob: string;
}

/** From one commit to another. */
export interface TreeChange {
  readonly path: string;
  /** Hash of its content; absent when it is gone. */
  readonly blob?: string;
  /** Hash of the content it had; absent when the commit before had no such file. */
  readonly blobBefore?: string;
}

const TAB = 0x09;
const ENTRY = /^100\d{3} blob ([0-9a-f]+)$/;
const CHANGE = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/;
const FILE_MODE = /^100/;

/** The files of a commit, in the order of git. */
export async function readTree(
  git: Git,
  root: string,
  commit: string,
): Promise<readonly TreeFile[]> {
  const files: TreeFile[] = [];
  const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
  for await (const field of nulFields(git.stream(args, { cwd: root }))) {
    const tab = field.indexOf(TAB);
    const [, blob] = ENTRY.exec(field.toString("latin1", 0, tab)) ?? [];
    if (blob !== undefined) files.push({ path: decodePath(field.subarray(tab + 1)), blob });
  }
  return files;
}

/** What the files of a commit differ in from those of another. */
export async function readTreeChanges(
  git: Git,
  root: string,
  from: string,
  to: string,
): Promise<readonly TreeChange[]> {
  const changes: TreeChange[] = [];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", from, to];
  let entry: RegExpExecArray | undefined;
  for await (const field of nulFields(git.stream(args, { cwd: root }))) {
    if (entry === undefined) {
      entry = CHANGE.exec(field.toString("latin1")) ?? undefined;
      continue;
    }
    const [, modeBefore = "", mode = "", blobBefore = "", blob = ""] = entry;
    entry = undefined;
    const [was, is] = [FILE_MODE.test(modeBefore), FILE_MODE.test(mode)];
    if (!was && !is) continue;
    changes.push({
      path: decodePath(field),
      ...(is ? { blob } : {}),
      ...(was ? { blobBefore } : {}),
    });
  }
  return changes;
}
