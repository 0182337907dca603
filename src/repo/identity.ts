/** Which repository a folder belongs to, and where pallium keeps what it knows of it. */
import { basename, dirname, join, resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { isDirectory, isWritableFolder, realPath } from "../platform/files.ts";
import { locate } from "../platform/git/locate.ts";
import type { Git } from "../platform/git/runner.ts";
import { usualLocation } from "../platform/git/usual-location.ts";
import { sha256 } from "../platform/hash.ts";

export interface Repository {
  /** Absolute top of the working tree in which the user stands. */
  readonly root: string;
  /** The git directory that all working trees of the repository share. */
  readonly commonDir: string;
  /** Top of the main working tree, which linked ones share their memory with. */
  readonly canonicalRoot: string;
  /** Folder of pallium's data about it; need not exist. */
  readonly dataFolder: string;
}

/** How the folder of a repository whose own cannot be used is told from others. */
const HASH_DIGITS = 16;

/**
 * The repository around a folder.
 * @param home pallium's own folder, for repositories that cannot be written to.
 * @throws PalliumError `not_a_repository`, `bare_repository`, `git_missing`, `directory_missing`.
 */
export async function findRepository(git: Git, cwd: string, home: string): Promise<Repository> {
  const { commonDir: common, top: root, reason } = await locate(git, cwd);
  if (common === undefined || root === undefined) {
    throw noWorkTree(cwd, common !== undefined, reason);
  }
  const commonDir = await realPath(common);
  const main = await mainWorkTree(git, commonDir, root);
  return {
    root,
    commonDir,
    canonicalRoot: main ?? root,
    dataFolder: await dataFolder(commonDir, main, home),
  };
}

/**
 * The same without asking git, whose refusal to work there is not noticed; `undefined` where only git
 * can tell.
 */
export async function findUsualRepository(
  cwd: string,
  home: string,
): Promise<Repository | undefined> {
  const { top: root, commonDir } = (await usualLocation(cwd)) ?? {};
  if (root === undefined || commonDir === undefined) return undefined;
  return {
    root,
    commonDir,
    canonicalRoot: root,
    dataFolder: await dataFolder(commonDir, root, home),
  };
}

function noWorkTree(cwd: string, isRepository: boolean, reason: string): PalliumError {
  const [code, what] = isRepository
    ? ["bare_repository", `no working tree here: ${cwd}`]
    : ["not_a_repository", `no git repository here: ${cwd}: ${reason}`];
  return new PalliumError(code, what, {
    hints: ["run this inside a git working tree, or make one with: git init, git worktree add"],
  });
}

/** The main working tree, if there is one: beside `.git`, or named in the configuration. */
async function mainWorkTree(
  git: Git,
  commonDir: string,
  root: string,
): Promise<string | undefined> {
  if (join(root, ".git") === commonDir) return root;
  const { stdout } = await git.run(
    ["config", "--file", join(commonDir, "config"), "--get-regexp", "^core\\.(bare|worktree)$"],
    { cwd: commonDir, okCodes: [0, 1] },
  );
  const settings = new Map(stdout.split("\n").map((line) => splitOnce(line)));
  const named = settings.get("core.worktree");
  if (named !== undefined) return existing(resolve(commonDir, named));
  if (settings.get("core.bare") === "true" || basename(commonDir) !== ".git") return undefined;
  return dirname(commonDir);
}

function splitOnce(line: string): [string, string] {
  const space = line.indexOf(" ");
  return space < 0 ? [line, "true"] : [line.slice(0, space), line.slice(space + 1)];
}

async function existing(folder: string): Promise<string | undefined> {
  return (await isDirectory(folder)) ? realPath(folder) : undefined;
}

/**
 * In the main working tree; inside the git directory where there is none (bare repositories with
 * linked working trees, separate git directories); with pallium's own data where that cannot be
 * written.
 */
async function dataFolder(
  commonDir: string,
  main: string | undefined,
  home: string,
): Promise<string> {
  const owner = main ?? commonDir;
  const folder = join(owner, main === undefined ? "pallium" : ".pallium");
  const isUsable = (await isWritableFolder(folder)) ?? (await isWritableFolder(owner)) ?? false;
  if (isUsable) return folder;
  return join(home, "repos", `${basename(owner)}-${sha256(commonDir).slice(0, HASH_DIGITS)}`);
}
