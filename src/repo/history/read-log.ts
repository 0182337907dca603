import { join } from "node:path";
import { readTextFile } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Repository } from "../identity.ts";
import { createLogParser, LOG_OPTIONS, type LogCommit } from "./log-parser.ts";

export interface ReadLogOptions {
  /** Revisions and order, as `git log` takes them. */
  readonly revisions: readonly string[];
  readonly signal?: AbortSignal;
  readonly onCommit: (commit: LogCommit) => void;
}

/** Streams commits, renames found, without merges. */
export async function readLog(
  git: Git,
  { root, commonDir }: Repository,
  { revisions, signal, onCommit }: ReadLogOptions,
): Promise<void> {
  const parser = createLogParser(onCommit);
  const renames = (await isPartialClone(git, commonDir)) ? "-M100%" : "-M";
  const options = signal === undefined ? { cwd: root } : { cwd: root, signal };
  for await (const chunk of git.stream([...LOG_OPTIONS, renames, ...revisions, "--"], options)) {
    parser.push(chunk);
  }
  parser.end();
}

/** Whether objects may be missing that git would fetch: only equal files are then known as renamed. */
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
