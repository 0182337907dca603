/** The commits behind a file, or behind one line of it. */
import { dirname } from "node:path";
import { counted } from "../../lib/counted.ts";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { readTextFile } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";

/** What is asked about; `path` is absolute. */
export interface Place {
  readonly path: string;
  /** From 1; absent for all of the file. */
  readonly line?: number;
}

export interface CommitBehind {
  /** In full. */
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  /** UTC; when it was first committed. */
  readonly authored_at: string;
  /** UTC; later where the commit was made anew. */
  readonly committed_at: string;
  /** What the file was called in it, relative to the repository. */
  readonly path: string;
}

/** A change of the file, by a commit or by nobody yet. */
export interface FileChange {
  /** Absent for what is not committed. */
  readonly commit?: CommitBehind;
  /** When the file was committed last before; empty where it was not. */
  readonly after: string;
  /** Of the line that was asked about, without blanks around. */
  readonly text?: string;
}

export interface FileHistory {
  /** Relative to the top of the working tree. */
  readonly path: string;
  /** The latest first. */
  readonly changes: readonly FileChange[];
}

const LINE = /^(.+):(\d+)$/;
const UNCOMMITTED = /^0+$/;
const FORMAT = "--format=%x00%H%x00%an%x00%at%x00%ct%x00%s%x00";
const FIELDS = 6;

/** @throws PalliumError `usage`. */
export function placeOf(text: string): Place {
  const [, path, number] = LINE.exec(text) ?? [];
  if (path === undefined || number === undefined) return { path: text };
  const line = Number(number);
  if (line < 1) throw usageError("lines are counted from 1");
  return { path, line };
}

/**
 * @param most commits of a file as a whole.
 * @throws PalliumError `not_a_repository`, `file_not_tracked`, `line_not_found`, those of git.
 */
export async function fileHistory(
  git: Git,
  { path: asked, line }: Place,
  most: number,
): Promise<FileHistory> {
  const cwd = dirname(asked);
  const path = await trackedPath(git, asked);
  if (line !== undefined) {
    return { path, changes: [await changeOfLine(git, cwd, asked, { line, path })] };
  }
  const [commits, status] = await Promise.all([
    commitsOf(git, cwd, ["HEAD"], asked, most + 1),
    git.run(["status", "--porcelain", "--", asked], { cwd }),
  ]);
  const changes = commits
    .slice(0, most)
    .map((commit, at) => ({ commit, after: commits[at + 1]?.committed_at ?? "" }));
  const dirty = status.stdout.trim() === "" ? [] : [{ after: commits[0]?.committed_at ?? "" }];
  return { path, changes: [...dirty, ...changes].slice(0, most) };
}

async function trackedPath(git: Git, path: string): Promise<string> {
  const args = ["ls-files", "-z", "--full-name", "--", path];
  const { stdout } = await git.run(args, { cwd: dirname(path) });
  const [tracked, ...others] = stdout.split("\0").filter((name) => name !== "");
  if (tracked !== undefined && others.length === 0) return tracked;
  const what = tracked === undefined ? "git does not track the file" : "this is a folder";
  throw new PalliumError("file_not_tracked", `${what}: ${path}`, {
    hints: [
      tracked === undefined
        ? "sessions that touched it all the same: pallium sessions list --file <path>"
        : "name one file of it",
    ],
  });
}

async function changeOfLine(
  git: Git,
  cwd: string,
  asked: string,
  { line, path }: { readonly line: number; readonly path: string },
): Promise<FileChange> {
  const lines = ((await readTextFile(asked)) ?? "").replace(/\n$/, "").split("\n");
  if (line > lines.length) {
    throw new PalliumError(
      "line_not_found",
      `the file has ${counted(lines.length, "line")}: ${path}`,
      { hints: [`name one from 1 to ${lines.length}`] },
    );
  }
  const args = ["blame", "--porcelain", "-L", `${line},${line}`, "--", asked];
  const { stdout } = await git.run(args, { cwd });
  const sha = /^[0-9a-f]+/.exec(stdout)?.[0] ?? "";
  const text = (lines[line - 1] ?? "").trim();
  if (UNCOMMITTED.test(sha)) {
    const [last] = await commitsOf(git, cwd, ["HEAD"], asked, 1);
    return { after: last?.committed_at ?? "", text };
  }
  const name = /^filename (.+)$/m.exec(stdout)?.[1] ?? path;
  const [commit, before] = await commitsOf(git, cwd, [sha], `:/${name}`, 2);
  const own = commit?.sha === sha ? commit : await oneCommit(git, cwd, sha, name);
  return { commit: own, after: before?.committed_at ?? "", text };
}

async function oneCommit(git: Git, cwd: string, sha: string, name: string): Promise<CommitBehind> {
  const { stdout } = await git.run(["show", "--no-patch", FORMAT, sha], { cwd });
  const [commit] = readCommits(stdout, name);
  if (commit !== undefined) return commit;
  throw new Error(`git blames ${sha}, and cannot show it`);
}

async function commitsOf(
  git: Git,
  cwd: string,
  revisions: readonly string[],
  path: string,
  most: number,
): Promise<readonly CommitBehind[]> {
  const follow = path.startsWith(":") ? [] : ["--follow"];
  const args = ["log", `-n${most}`, FORMAT, "--name-only", "-z", ...follow, ...revisions];
  const { stdout, exitCode } = await git.run([...args, "--", path], { cwd, okCodes: [0, 128] });
  // Without a commit there is no HEAD.
  return exitCode === 0 ? readCommits(stdout, path.replace(/^:\//, "")) : [];
}

/** Fields of each commit between NULs, then the name that the file has in it. */
function readCommits(output: string, otherwise: string): readonly CommitBehind[] {
  const fields = output.split("\0");
  const starts = fields.flatMap((field, at) => (/^[0-9a-f]{40,64}$/.test(field) ? [at] : []));
  return starts.map((start, index) => {
    const [sha = "", author = "", authored, committed, subject = ""] = fields.slice(start);
    const names = fields
      .slice(start + FIELDS - 1, starts[index + 1] ?? fields.length)
      .map((name) => name.replace(/^\n/, ""))
      .filter((name) => name !== "");
    return {
      sha,
      subject,
      author,
      authored_at: isoTime(Number(authored)),
      committed_at: isoTime(Number(committed)),
      path: names[0] ?? otherwise,
    };
  });
}
