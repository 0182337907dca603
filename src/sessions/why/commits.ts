/** The commits behind a file, or behind one line of it. */
import { relative, sep } from "node:path";
import { counted } from "../../lib/counted.ts";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { exists, isDirectory, readTextFile } from "../../platform/files.ts";
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
  /** Whether git knows the file now. */
  readonly isTracked: boolean;
  /** The latest first; of a file that was never committed one that nobody committed. */
  readonly changes: readonly FileChange[];
}

/** Between what a transcript and git call the same moment. */
export const SLACK_MS = 2 * 60_000;

/** When the work on a commit was over; milliseconds since 1970. */
export function endOf({ authored_at, committed_at }: CommitBehind): number {
  return Math.max(Date.parse(authored_at), Date.parse(committed_at));
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
 * @param top absolute top of the working tree that the place lies in, written as the path is.
 * @param most commits of a file as a whole.
 * @throws PalliumError `not_a_repository`, `file_not_tracked` for a folder, `line_not_found`, those of
 *   git.
 */
export async function fileHistory(
  git: Git,
  top: string,
  { path: asked, line }: Place,
  most: number,
): Promise<FileHistory> {
  const tracked = await trackedPath(git, top, asked);
  const path = tracked ?? relative(top, asked).split(sep).join("/");
  const isTracked = tracked !== undefined;
  if (line !== undefined) {
    const text = await textOfLine(asked, line, path);
    const change = isTracked
      ? await changeOfLine(git, top, asked, { line, path, text })
      : { after: "", text };
    return { path, isTracked, changes: [change] };
  }
  const [commits, status] = await Promise.all([
    commitsOf(git, top, ["HEAD"], asked, most + 1),
    git.run(["status", "--porcelain", "--", asked], { cwd: top }),
  ]);
  const changes = commits
    .slice(0, most)
    .map((commit, at) => ({ commit, after: commits[at + 1]?.committed_at ?? "" }));
  const isLeftOut = !isTracked && (await exists(asked));
  const isOpen = commits.length === 0 || isLeftOut || status.stdout.trim() !== "";
  const open = isOpen ? [{ after: commits[0]?.committed_at ?? "" }] : [];
  return { path, isTracked, changes: [...open, ...changes].slice(0, most) };
}

/** Of a file about which nobody knows anything. */
export function notTracked(path: string): PalliumError {
  return new PalliumError("file_not_tracked", `git does not track the file: ${path}`, {
    hints: ["no session is known that wrote it: read new ones in with pallium sessions index"],
  });
}

async function trackedPath(git: Git, top: string, path: string): Promise<string | undefined> {
  const args = ["ls-files", "-z", "--full-name", "--", path];
  const { stdout } = await git.run(args, { cwd: top });
  // Once for each side of a conflict.
  const [tracked, ...others] = new Set(stdout.split("\0").filter((name) => name !== ""));
  if (others.length === 0 && !(await isDirectory(path))) return tracked;
  throw new PalliumError("file_not_tracked", `this is a folder: ${path}`, {
    hints: ["name one file of it"],
  });
}

async function textOfLine(asked: string, line: number, path: string): Promise<string> {
  const text = await readTextFile(asked);
  if (text === undefined) {
    throw new PalliumError("line_not_found", `the file is not there: ${path}`, {
      hints: ["ask about all of it: leave the line out"],
    });
  }
  const lines = text.replace(/\n$/, "").split("\n");
  if (line <= lines.length) return (lines[line - 1] ?? "").trim();
  throw new PalliumError(
    "line_not_found",
    `the file has ${counted(lines.length, "line")}: ${path}`,
    {
      hints: [`name one from 1 to ${lines.length}`],
    },
  );
}

async function changeOfLine(
  git: Git,
  top: string,
  asked: string,
  { line, path, text }: { readonly line: number; readonly path: string; readonly text: string },
): Promise<FileChange> {
  const args = ["blame", "--porcelain", "-L", `${line},${line}`, "--", asked];
  const { stdout } = await git.run(args, { cwd: top });
  const sha = /^[0-9a-f]+/.exec(stdout)?.[0] ?? "";
  if (UNCOMMITTED.test(sha)) {
    const [last] = await commitsOf(git, top, ["HEAD"], asked, 1);
    return { after: last?.committed_at ?? "", text };
  }
  const name = /^filename (.+)$/m.exec(stdout)?.[1] ?? path;
  const [commit, before] = await commitsOf(git, top, [sha], `:/${name}`, 2);
  const own = commit?.sha === sha ? commit : await oneCommit(git, top, sha, name);
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
