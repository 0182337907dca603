/**
 * Git on objects of a run's own: what edits are made of is written beside the run, never into the
 * repository, whose objects it can read.
 */
import { join } from "node:path";
import { ensurePrivateDir } from "../../platform/files.ts";
import type { Git, GitOptions, GitResult, GitStreamOptions } from "../../platform/git/runner.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";

/**
 * Trees and their contents are found by hash alone: no index and, unless a command is given one, no
 * working tree. What a worker did to the `.git` of its working tree has no say.
 */
export interface TreeStore {
  run(args: readonly string[], options?: StoreOptions): Promise<GitResult>;
  stream(args: readonly string[], options?: StreamOptions): AsyncGenerator<Uint8Array>;
  /** Hands `work` a store whose commands share one index, empty at first. */
  withIndex<T>(work: (store: Pick<TreeStore, "run" | "stream">) => Promise<T>): Promise<T>;
  /** Absolute folder of the objects. */
  readonly objects: string;
}

interface InWorkTree {
  /** Absolute top of the working tree in which the command runs. */
  readonly workTree?: string;
}

type StoreOptions = InWorkTree & Partial<Pick<GitOptions, "input" | "okCodes">>;
type StreamOptions = InWorkTree & Partial<Pick<GitStreamOptions, "input" | "signal">>;

/** Long enough for trees of millions of files. */
const TIMEOUT_MS = 600_000;

/** A power cut must not take finished work: contents reach the disk before their names are used. */
const DURABLE = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsync",
  GIT_CONFIG_VALUE_0: "loose-object",
  GIT_CONFIG_KEY_1: "core.fsyncMethod",
  GIT_CONFIG_VALUE_1: "batch",
};

/**
 * @param commonDir absolute git directory of the repository whose objects can be read.
 * @param objects absolute folder for those of the run; made where it is missing.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`.
 */
export async function openTreeStore(
  git: Git,
  commonDir: string,
  objects: string,
): Promise<TreeStore> {
  await ensurePrivateDir(objects);
  const variables = {
    GIT_DIR: commonDir,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(join(commonDir, "objects")),
    GIT_ATTR_NOSYSTEM: "1",
    ...DURABLE,
  };
  return {
    objects,
    ...commands(git, objects, variables),
    async withIndex(work) {
      await using folder = await temporaryFolder(join(objects, "index-"));
      const index = { ...variables, GIT_INDEX_FILE: join(folder.path, "index") };
      return await work(commands(git, objects, index));
    },
  };
}

function commands(
  git: Git,
  objects: string,
  variables: Readonly<Record<string, string>>,
): Pick<TreeStore, "run" | "stream"> {
  const place = (workTree: string | undefined) =>
    workTree === undefined
      ? { cwd: objects, variables }
      : { cwd: workTree, variables: { ...variables, GIT_WORK_TREE: workTree } };
  return {
    run: (args, { workTree, ...options } = {}) =>
      git.run(args, { timeoutMs: TIMEOUT_MS, ...options, ...place(workTree) }),
    stream: (args, { workTree, ...options } = {}) =>
      git.stream(args, { ...options, ...place(workTree) }),
  };
}

/** As a list of paths has it: colons part them, quotes begin one that is written with escapes. */
function quotedPath(path: string): string {
  return /[:"]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}
