/** Which files a change touches, committed and not. */
import { byPath } from "../../lib/by-text.ts";
import { decodePath } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import type { Git } from "../../platform/git/runner.ts";
import { isMissingObject } from "../history/read-log.ts";
import type { WorkingChange } from "../working-tree.ts";
import type { ChangeSource } from "./shapes.ts";

export interface DiffFile {
  readonly path: string;
  /** `A` added, `M` modified, `D` deleted, `R` renamed, `T` type changed. */
  readonly status: string;
  /** What a renamed file was called before. */
  readonly oldPath?: string;
}

export interface TouchedFile extends DiffFile {
  readonly source: ChangeSource;
}

const COLON = 0x3a;
const RENAMES = /[RC]/;

/**
 * What differs between two commits, or, without the second, between the first and the index. In a
 * clone without the contents renames show as a file deleted and one added.
 */
export async function diffFiles(
  git: Git,
  root: string,
  from: string,
  to?: string,
): Promise<readonly DiffFile[]> {
  const range = to === undefined ? ["--cached", from] : [from, to];
  try {
    return await rawDiff(git, root, ["-M", ...range]);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return await rawDiff(git, root, ["--no-renames", ...range]);
  }
}

async function rawDiff(
  git: Git,
  root: string,
  options: readonly string[],
): Promise<readonly DiffFile[]> {
  const files: DiffFile[] = [];
  let status = "";
  let oldPath: string | undefined;
  const args = ["diff", "--raw", "-z", ...options, "--"];
  for await (const field of nulFields(git.stream(args, { cwd: root }))) {
    if (status === "" && field[0] === COLON) {
      status = letterOf(field);
      continue;
    }
    const path = decodePath(field);
    if (RENAMES.test(status) && oldPath === undefined) {
      oldPath = path;
      continue;
    }
    files.push(oldPath === undefined ? { path, status } : { path, status, oldPath });
    status = "";
    oldPath = undefined;
  }
  return files;
}

/** The letter of `:100644 100644 1234567 89abcde R086`. */
function letterOf(field: Buffer): string {
  return field.toString("latin1", field.lastIndexOf(0x20) + 1).charAt(0);
}

/** Both kinds of changes as one, by path; what was committed and changed again since counts once. */
export function mergeChanges(
  committed: readonly DiffFile[],
  working: readonly WorkingChange[],
): readonly TouchedFile[] {
  const touched = new Map<string, TouchedFile>();
  for (const file of committed) touched.set(file.path, { ...file, source: "committed" });
  for (const { path, status, oldPath } of working) {
    const before = touched.get(path) ?? (oldPath === undefined ? undefined : touched.get(oldPath));
    if (oldPath !== undefined && status.includes("R")) touched.delete(oldPath);
    const origin = before?.oldPath ?? oldPath;
    touched.set(path, {
      path,
      status: letterFor(status, before),
      ...(origin === undefined ? {} : { oldPath: origin }),
      source: sourceOf(status, before),
    });
  }
  return [...touched.values()].sort(byPath);
}

function sourceOf(status: string, before: TouchedFile | undefined): ChangeSource {
  if (before !== undefined) return "committed+working_tree";
  return status === "??" ? "untracked" : "working_tree";
}

/** One letter for both columns of git, and for what was committed before. */
function letterFor(status: string, before: TouchedFile | undefined): string {
  if (status.includes("D")) return "D";
  if (before !== undefined && before.status !== "D") return before.status;
  if (status === "??" || status.includes("A")) return before === undefined ? "A" : "M";
  return status.replace("U", "M").charAt(0) || "M";
}
