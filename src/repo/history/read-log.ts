import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { readTextFile } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Repository } from "../identity.ts";
import { createLogParser, LOG_OPTIONS, type LogCommit } from "./log-parser.ts";

export interface ReadLogOptions {
  /** Revisions and order, as `git log` takes them. */
  readonly revisions: readonly string[];
  /** Whether only files of equal content are taken for renamed, which reads no contents. */
  readonly exactRenames: boolean;
  readonly signal?: AbortSignal;
  readonly onCommit: (commit: LogCommit) => void;
}

/** Streams commits, renames found, without merges. */
export async function readLog(
  git: Git,
  { root }: Repository,
  { revisions, exactRenames, signal, onCommit }: ReadLogOptions,
): Promise<void> {
  const parser = createLogParser(onCommit);
  const renames = exactRenames ? "-M100%" : "-M";
  const options = signal === undefined ? { cwd: root } : { cwd: root, signal };
  for await (const chunk of git.stream([...LOG_OPTIONS, renames, ...revisions, "--"], options)) {
    parser.push(chunk);
  }
  parser.end();
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
