/**
 * Git on objects of a run's own: what edits are made of is written beside the run, never into the
 * repository, whose objects it can read.
 */
import { join } from "node:path";
import { PalliumError } from "../../../lib/errors.ts";
import { ensurePrivateDir, listDirectories } from "../../../platform/files.ts";
import type { Git, GitOptions, GitResult, GitStreamOptions } from "../../../platform/git/runner.ts";
import { removeFolder } from "../../../platform/remove-folder.ts";
import type { TemporaryFolder } from "../../../platform/temporary-folder.ts";

/**
 * Trees and their contents are found by hash alone: no index and, unless a command is given one, no
 * working tree. What a worker did to the `.git` of its working tree has no say.
 */
export interface TreeStore {
  run(args: readonly string[], options?: StoreOptions): Promise<GitResult>;
  stream(args: readonly string[], options?: StreamOptions): AsyncGenerator<Uint8Array>;
  /** Hands `work` a store whose commands share one index, empty at first. */
  withIndex<T>(work: (store: TreeIndex) => Promise<T>): Promise<T>;
  /** A folder beside the objects for one piece of work. */
  temporary(): Promise<TemporaryFolder>;
  /** Removes such folders that a process which died left; no other process may work with the objects. */
  sweep(): Promise<void>;
  /** Absolute folder of the objects. */
  readonly objects: string;
  readonly kind: RepositoryKind;
}

export type TreeIndex = Pick<TreeStore, "run" | "stream" | "kind">;

/** What the repository's settings say about all trees and working trees. */
export interface RepositoryKind {
  /** Digits of a full hash. */
  readonly hashLength: number;
  /** Whether the right to execute a file means anything here. */
  readonly hasExecutables: boolean;
  /** Whether symbolic links are checked out as such, not as files that hold where they point to. */
  readonly hasLinks: boolean;
}

interface InWorkTree {
  /** Absolute top of the working tree in which the command runs. */
  readonly workTree?: string;
}

type StoreOptions = InWorkTree & Partial<Pick<GitOptions, "input" | "okCodes">>;
type StreamOptions = InWorkTree & Partial<Pick<GitStreamOptions, "input" | "signal">>;

/** Long enough for trees of millions of files. */
const TIMEOUT_MS = 600_000;

const FULL = /No space left on device|Disk quota exceeded|File too large/;
const OFF = /^(false|no|off|0)$/;
/** How the names of folders for one piece of work begin. */
const TEMPORARY = "temporary-";

/** Larger contents go through git piece by piece. */
export const NOT_IN_MEMORY = { "core.bigFileThreshold": "16m" };

const SETTINGS = {
  // A power cut must not take finished work: contents reach the disk before their names are used.
  "core.fsync": "loose-object,pack,pack-metadata",
  "core.fsyncMethod": "batch",
  ...NOT_IN_MEMORY,
  // An index is a file of our own, and nothing beside it in the repository.
  "core.splitIndex": "false",
  "core.untrackedCache": "false",
  "core.sparseCheckout": "false",
  "index.sparse": "false",
};

/**
 * @param commonDir absolute git directory of the repository whose objects can be read.
 * @param objects absolute folder for those of the run; made where it is missing.
 * @throws PalliumError `disk_full`, `permission_denied`, `io_failed`, `git_failed`.
 */
export async function openTreeStore(
  git: Git,
  commonDir: string,
  objects: string,
): Promise<TreeStore> {
  await ensurePrivateDir(objects);
  const variables = {
    GIT_DIR: commonDir,
    GIT_INDEX_FILE: join(objects, "no-index"),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(join(commonDir, "objects")),
    ...settingVariables(SETTINGS),
  };
  const store = commands(git, objects, variables);
  const kind = await repositoryKind(store.run);
  const folders = temporaryFolders(objects);
  return {
    objects,
    kind,
    ...store,
    ...folders,
    async withIndex(work) {
      await using folder = await folders.temporary();
      const index = { ...variables, GIT_INDEX_FILE: join(folder.path, "index") };
      return await work({ ...commands(git, objects, index), kind });
    },
  };
}

/** Absolute paths of the folders beside objects that pieces of work have, or left where they died. */
export async function listTemporary(objects: string): Promise<readonly string[]> {
  const names = (await listDirectories(objects)).filter((name) => name.startsWith(TEMPORARY));
  return names.map((name) => join(objects, name));
}

function temporaryFolders(objects: string): Pick<TreeStore, "temporary" | "sweep"> {
  const own = new Set<string>();
  return {
    async temporary() {
      const path = join(objects, `${TEMPORARY}${crypto.randomUUID()}`);
      own.add(path);
      await ensurePrivateDir(path);
      return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
    },
    async sweep() {
      const left = (await listTemporary(objects)).filter((path) => !own.has(path));
      for (const path of left) await removeFolder(path);
    },
  };
}

/** Settings of git as variables of its environment. */
export function settingVariables(
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length / 2), ...Object.fromEntries(pairs) };
}

function commands(
  git: Git,
  objects: string,
  variables: Readonly<Record<string, string>>,
): Pick<TreeStore, "run" | "stream"> {
  const place = (workTree = objects) => ({
    cwd: workTree,
    variables: { ...variables, GIT_WORK_TREE: workTree },
  });
  return {
    run: (args, { workTree, ...options } = {}) =>
      git
        .run(args, { timeoutMs: TIMEOUT_MS, ...options, ...place(workTree) })
        .catch((error) => Promise.reject(unlessFull(error, objects))),
    stream: (args, { workTree, ...options } = {}) =>
      git.stream(args, { ...options, ...place(workTree) }),
  };
}

/** What git says when there is no room left, as the error that it is. */
function unlessFull(error: unknown, objects: string): unknown {
  if (!(error instanceof PalliumError) || !FULL.test(error.message)) return error;
  return new PalliumError("disk_full", `no space left to write ${objects}: ${error.message}`, {
    cause: error,
    hints: ["free some space on that disk, or raise the quota or file size limit, and try again"],
  });
}

async function repositoryKind(run: TreeStore["run"]): Promise<RepositoryKind> {
  const keys = "^(core\\.(filemode|symlinks)|extensions\\.objectformat)$";
  const { stdout } = await run(["config", "--get-regexp", keys], { okCodes: [0, 1] });
  const settings = new Map(stdout.split("\n").map((line) => splitOnce(line)));
  const isOn = (key: string) => !OFF.test(settings.get(key) ?? "");
  return {
    hashLength: settings.get("extensions.objectformat") === "sha256" ? 64 : 40,
    hasExecutables: isOn("core.filemode"),
    hasLinks: isOn("core.symlinks"),
  };
}

/** Key and value of a line that `git config` prints. */
export function splitOnce(line: string): [string, string] {
  const space = line.indexOf(" ");
  return [line.slice(0, space), line.slice(space + 1).toLowerCase()];
}

/** As a list of paths has it: colons part them, quotes begin one that is written with escapes. */
function quotedPath(path: string): string {
  return /[:"]/.test(path) ? `"${path.replace(/[\\"]/g, "\\$&")}"` : path;
}
