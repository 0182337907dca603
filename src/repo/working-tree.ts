/** What is checked out, and what differs from it. */
import { join } from "node:path";
import { byPath } from "../lib/by-text.ts";
import { decodePath } from "../lib/git-path.ts";
import { nulFields } from "../lib/nul-fields.ts";
import { fileStamp } from "../platform/file-stamp.ts";
import { listPaths } from "../platform/git/list-paths.ts";
import type { Git } from "../platform/git/runner.ts";

/** A file that was changed and not committed, or is new and not ignored. */
export interface WorkingChange {
  readonly path: string;
  /** Git's two letters without blanks: `M`, `MM`, `A`, `D`, `R`, `??`. */
  readonly status: string;
  /** What a renamed file was called before. */
  readonly oldPath?: string;
}

export interface WorkingTree {
  /** The checked-out commit, in full; `undefined` while there is none. */
  readonly head: string | undefined;
  /** The checked-out branch; `HEAD` when none is. */
  readonly branch: string;
  /** Sorted by path. */
  readonly changes: readonly WorkingChange[];
}

/** Our own state, and that of the program before. */
const OWN_STATE = /^(?:\.pallium|\.codex-memory)(?:\/|$)|^\.(?:pallium|codex-memory)\.db$/;
/** How many fields stand before the path in an entry of each kind. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };
const BLANK = 0x20;

/** With a longer index, some 15,000 files, to look for new ones takes as long as all the rest. In bytes. */
const LARGE_INDEX = 2 * 1024 * 1024;

/**
 * What git says of a working tree. What is ignored is not looked at, nor the inside of nested
 * repositories; changes of pallium's own state are left out.
 * @param cwd a folder of it.
 */
export async function readWorkingTree(git: Git, cwd: string): Promise<WorkingTree> {
  // Below the top there is no such file, and one process does it all.
  const index = await fileStamp(join(cwd, ".git", "index"));
  if (index !== undefined && index.bytes > LARGE_INDEX) {
    const read = await readLargeWorkingTree(git, cwd);
    const isSame = (await fileStamp(join(cwd, ".git", "index")))?.stamp === index.stamp;
    // Else a file may have gone from the new to the tracked ones between the two looks.
    if (isSame) return read;
  }
  return readStatus(git, cwd, "all");
}

/**
 * The same, new files looked for by a second process beside the first.
 * @param root top of the working tree.
 */
export async function readLargeWorkingTree(git: Git, root: string): Promise<WorkingTree> {
  const [tracked, untracked] = await Promise.all([
    readStatus(git, root, "no"),
    listPaths(git, root, ["ls-files", "-z", "--others", "--exclude-standard"]),
  ]);
  const fresh = untracked.map((path) => ({ path, status: "??" }));
  return withChanges(tracked, [...tracked.changes, ...fresh]);
}

async function readStatus(git: Git, cwd: string, untracked: "all" | "no"): Promise<WorkingTree> {
  const args = [
    ...["status", "--porcelain=v2", "--branch", "--no-ahead-behind"],
    ...["-z", `--untracked-files=${untracked}`],
  ];
  const headers = new Map<string, string>();
  const changes: WorkingChange[] = [];
  let renamed: WorkingChange | undefined;
  for await (const field of nulFields(git.stream(args, { cwd }))) {
    if (renamed !== undefined) {
      changes.push({ ...renamed, oldPath: decodePath(field) });
      renamed = undefined;
      continue;
    }
    const kind = String.fromCharCode(field[0] ?? 0);
    if (kind === "#") {
      const [, name = "", value = ""] = field.toString("utf8").split(" ");
      headers.set(name, value);
      continue;
    }
    const change = changeOf(kind, field);
    if (kind === "2") renamed = change;
    else changes.push(change);
  }
  return withChanges(checkedOut(headers), changes);
}

function withChanges(
  { head, branch }: Pick<WorkingTree, "head" | "branch">,
  changes: readonly WorkingChange[],
): WorkingTree {
  const isOfUser = ({ path, oldPath }: WorkingChange) =>
    oldPath !== undefined || !OWN_STATE.test(path);
  const ofUser = changes.filter(isOfUser);
  return { head, branch, changes: onceEach(ofUser).sort(byPath) };
}

/**
 * Git lists a file that is staged as deleted, or as renamed, and is there again a second time, as
 * new. It is a changed one, and what it was renamed to is new.
 */
function onceEach(changes: readonly WorkingChange[]): WorkingChange[] {
  const untracked = new Set(
    changes.filter(({ status }) => status === "??").map(({ path }) => path),
  );
  const back = new Set(
    changes
      .filter(({ status }) => status !== "??")
      .map(({ path, oldPath }) => oldPath ?? path)
      .filter((path) => untracked.has(path)),
  );
  if (back.size === 0) return [...changes];
  return changes
    .filter(({ path, status }) => status === "??" || !back.has(path))
    .map((change) => {
      const { path, status, oldPath } = change;
      if (back.has(path)) return { path, status: "M" };
      return oldPath !== undefined && back.has(oldPath)
        ? { path, status: status.replace("R", "A") }
        : change;
    });
}

function checkedOut(headers: ReadonlyMap<string, string>): Pick<WorkingTree, "head" | "branch"> {
  const commit = headers.get("branch.oid") ?? "(initial)";
  const branch = headers.get("branch.head") ?? "(detached)";
  return {
    head: commit === "(initial)" ? undefined : commit,
    branch: branch === "(detached)" ? "HEAD" : branch,
  };
}

function changeOf(kind: string, entry: Buffer): WorkingChange {
  let start = 0;
  for (let fields = FIELDS_BEFORE_PATH[kind] ?? 1; fields > 0; fields--) {
    start = entry.indexOf(BLANK, start) + 1;
  }
  const status = kind === "?" ? "??" : entry.toString("latin1", 2, 4).replaceAll(".", "");
  return { path: decodePath(entry.subarray(start)), status };
}
