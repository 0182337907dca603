import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { cores } from "../../platform/cores.ts";
import { readTextFile } from "../../platform/files.ts";
import type { Git, GitStreamOptions } from "../../platform/git/runner.ts";
import type { Repository } from "../identity.ts";
import { createLane } from "./lane.ts";
import { COMMIT_ARGUMENTS, type LogCommit } from "./log-parser.ts";

/** By their hashes; or by revisions and order, as `git rev-list` takes them, less merges. */
export type NamedCommits =
  | { readonly hashes: readonly string[] }
  | { readonly revisions: readonly string[] };

export interface LogOptions {
  /** Whether only files of equal content are taken for renamed, which reads no contents. */
  readonly exactRenames: boolean;
  readonly signal?: AbortSignal;
}

/** Commits that are being read. Disposing of it ends what reads them. */
export interface CommitLog extends AsyncDisposable {
  /**
   * Hands on every commit, in the order they are named or listed; those that came before at once.
   * @throws PalliumError `git_failed`; what `signal` was aborted with.
   */
  deliver(onCommit: (commit: LogCommit) => void): Promise<void>;
}

/** Commits that one process reads in a row. */
const BLOCK = 64;
const MOST_LANES = 4;

/**
 * Begins to read commits, renames found. To find out what a commit has touched is most of the work,
 * so the list is dealt in blocks to a process for each core.
 */
export function startLog(
  git: Git,
  { root }: Repository,
  { exactRenames, signal, ...commits }: NamedCommits & LogOptions,
): CommitLog {
  const failure = new AbortController();
  const ended = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const options = { cwd: root, signal: ended };
  const lanes = Array.from({ length: Math.min(MOST_LANES, cores()) }, createLane);
  const laneOf = (at: number) => lanes[Math.floor(at / BLOCK) % lanes.length];
  let take: ((commit: LogCommit) => void) | undefined;
  let dealt = 0;
  let taken = 0;

  async function deal(): Promise<void> {
    const hashes =
      "hashes" in commits ? commits.hashes : listCommits(git, commits.revisions, options);
    for await (const hash of hashes) {
      laneOf(dealt)?.ask(hash);
      dealt += 1;
    }
    for (const lane of lanes) lane.askNoMore();
  }

  /** As far as nothing is missing in between. */
  function handOn(): void {
    if (take === undefined) return;
    for (let commit = laneOf(taken)?.take(); commit !== undefined; commit = laneOf(taken)?.take()) {
      take(commit);
      taken += 1;
    }
  }

  const args = [...COMMIT_ARGUMENTS, exactRenames ? "-M100%" : "-M"];
  const start = (input: AsyncIterable<string>) => git.stream(args, { ...options, input });
  const work = [deal(), ...lanes.map((lane) => lane.read(start, handOn, ended))];
  const over = allOver(work, failure);

  return {
    async deliver(onCommit) {
      take = onCommit;
      handOn();
      await over;
      ended.throwIfAborted();
      if (taken < dealt) throw new Error(`git listed ${dealt} commits and told of ${taken}`);
    },
    async [Symbol.asyncDispose]() {
      failure.abort();
      await over;
    },
  };
}

/** Reads commits from the first to the last. @throws as `CommitLog.deliver` does. */
export async function readLog(
  git: Git,
  repository: Repository,
  {
    onCommit,
    ...options
  }: NamedCommits & LogOptions & { readonly onCommit: (commit: LogCommit) => void },
): Promise<void> {
  await using log = startLog(git, repository, options);
  await log.deliver(onCommit);
}

/** Waits for all; the first that fails ends the others, and is what `failure` is aborted with. */
async function allOver(work: readonly Promise<void>[], failure: AbortController): Promise<void> {
  const watched = work.map((one) =>
    one.catch((error: unknown) => {
      if (!failure.signal.aborted) failure.abort(error);
    }),
  );
  await Promise.all(watched);
}

/** The hashes of commits that are no merges, in the order of git. */
export async function* listCommits(
  git: Git,
  revisions: readonly string[],
  options: GitStreamOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of git.stream(["rev-list", "--no-merges", ...revisions, "--"], options)) {
    const complete = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = complete.pop() ?? "";
    yield* complete;
  }
}

/** Whether git failed for an object that it could not read. */
export function isMissingObject(error: unknown): boolean {
  return error instanceof PalliumError && /unable to read [0-9a-f]{7}/.test(error.message);
}

/** Whether objects may be missing that git would fetch when it is asked for them. */
export async function isPartialClone(git: Git, commonDir: string): Promise<boolean> {
  const config = join(commonDir, "config");
  const { stdout } = await git.run(
    [
      "config",
      "--file",
      config,
      "--get-regexp",
      "^(remote\\..*\\.promisor|extensions\\.partialclone)$",
    ],
    { cwd: commonDir, okCodes: [0, 1] },
  );
  return stdout.trim() !== "";
}

/** The commits at which a shallow clone ends. */
export async function shallowBoundary({ commonDir }: Repository): Promise<ReadonlySet<string>> {
  const text = (await readTextFile(join(commonDir, "shallow"))) ?? "";
  return new Set(text.split("\n").filter((line) => line !== ""));
}
