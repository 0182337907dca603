/** A text that is equal while nothing changed in a repository: neither commits nor contents of files. */
import { join } from "node:path";
import ignore from "ignore";
import { PalliumError } from "../../lib/errors.ts";
import { decodePath, isQuoted } from "../../lib/git-path.ts";
import { nulFields } from "../../lib/nul-fields.ts";
import { fingerprint as fileFingerprint } from "../../platform/fingerprint.ts";
import type { Git } from "../../platform/git/runner.ts";
import { sha256 } from "../../platform/hash.ts";

const STATUS = ["status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all"];
/** Words in front of the path, by the first letter of a record; those of `status --porcelain=v2`. */
const WORDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };
const SPACE = 0x20;
const TAB = 0x09;

type IsCounted = (path: string) => boolean;

/** Of the checked-out commit alone; `undefined` while there are no commits. */
export async function commitFingerprint(git: Git, cwd: string): Promise<string | undefined> {
  const commit = await git.headCommit(cwd);
  return commit === undefined ? undefined : `commit ${commit}`;
}

/**
 * Of the checked-out commit, and of the contents of every file that differs from it or is new and
 * not ignored. Whether something is staged makes no difference. Takes the same memory for any number of files.
 * @param paths patterns as in `.gitignore`, from the top of the repository; without any all files count.
 * @throws PalliumError `not_a_repository`, `git_failed`.
 */
export async function contentFingerprint(
  git: Git,
  cwd: string,
  paths: readonly string[],
): Promise<string> {
  const root = await git.topLevel(cwd);
  if (root === undefined) {
    throw new PalliumError("not_a_repository", `not in a git repository: ${cwd}`, {
      hints: [
        "triggers that look for changes need one: git init, or name another folder with --cwd",
      ],
    });
  }
  const sum = createSum();
  const commit = await git.headCommit(root);
  const isCounted = pathFilter(paths);
  if (paths.length === 0 || commit === undefined) sum.add(`head ${commit ?? "none"}`);
  else await addCommitted(git, root, commit, isCounted, sum);
  for await (const record of nulFields(git.stream(STATUS, { cwd: root }))) {
    const changed = changedPath(record);
    if (changed === undefined || !isCounted(changed)) continue;
    sum.add(`file ${changed}\0${await content(git, root, changed)}`);
  }
  return `content ${sum.text()}`;
}

/** Where only some files count a commit is no change by itself: those of them that it holds are. */
async function addCommitted(
  git: Git,
  root: string,
  commit: string,
  isCounted: IsCounted,
  sum: Sum,
): Promise<void> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", commit];
  for await (const entry of nulFields(git.stream(args, { cwd: root }))) {
    const path = decodePath(entry, entry.indexOf(TAB) + 1);
    if (isCounted(path)) sum.add(`tree ${entry.toString("latin1")}`);
  }
}

function pathFilter(paths: readonly string[]): IsCounted {
  if (paths.length === 0) return () => true;
  const patterns = ignore({ ignorecase: false }).add([...paths]);
  return (path) => patterns.ignores(path.replace(/\/$/, ""));
}

function changedPath(record: Buffer): string | undefined {
  const words = WORDS_BEFORE_PATH[String.fromCharCode(record[0] ?? 0)];
  if (words === undefined) return undefined;
  let start = 0;
  for (let word = 0; word < words; word++) start = record.indexOf(SPACE, start) + 1;
  return decodePath(record, start);
}

async function content(git: Git, root: string, path: string): Promise<string> {
  if (isQuoted(path)) return "unread";
  const found = await fileFingerprint(join(root, path));
  if (found !== "folder") return found;
  return `folder ${await nestedCommit(git, join(root, path))}`;
}

/** A submodule, or another repository in this one. */
async function nestedCommit(git: Git, folder: string): Promise<string> {
  try {
    return (await git.headCommit(folder)) ?? "none";
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    return error.code;
  }
}

interface Sum {
  add(text: string): void;
  text(): string;
}

/** The same for the same texts, whatever their order, in which git lists staged and new files apart. */
function createSum(): Sum {
  const bytes = Buffer.alloc(32);
  return {
    add: (text) => {
      const hash = Buffer.from(sha256(text), "hex");
      for (let at = 0; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) ^ (hash[at] ?? 0);
    },
    text: () => bytes.toString("hex"),
  };
}
