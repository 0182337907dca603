import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type TempDir, tempDir } from "./temp.ts";

export interface CommitOptions {
  /** Seconds since 1970; by default a minute after the last commit. */
  readonly at?: number;
  /** Name of the author; `ann` by default. */
  readonly by?: string;
}

/** A git repository of a test's own. */
export interface TestRepository extends TempDir {
  /** Runs git in it and returns what it printed; fails when git does. */
  git(...args: string[]): Promise<string>;
  /** Writes files, by their paths; `null` removes one. */
  write(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void>;
  /** Writes files and commits everything. @returns the hash. */
  commit(
    message: string,
    files?: Readonly<Record<string, string | Uint8Array | null>>,
    options?: CommitOptions,
  ): Promise<string>;
}

/** Surroundings of git in which neither user nor machine have a say. */
export const GIT_VARIABLES: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** Makes an empty repository on the branch `main`: `await using repo = await testRepository();` */
export async function testRepository(...options: string[]): Promise<TestRepository> {
  const dir = await tempDir();
  const repository = repositoryIn(dir);
  await repository.git("init", "-q", "-b", "main", ...options);
  return repository;
}

/** The tools for a repository that exists. */
export function repositoryIn(dir: TempDir): TestRepository {
  let now = Date.UTC(2026, 8, 1) / 1000;
  const git = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    runGit(dir.path, args, variables);

  const write: TestRepository["write"] = async (files) => {
    for (const [path, content] of Object.entries(files)) {
      const absolute = dir.join(path);
      if (content === null) await rm(absolute, { recursive: true, force: true });
      else {
        await mkdir(dirname(absolute), { recursive: true });
        await writeFile(absolute, content);
      }
    }
  };

  return {
    ...dir,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
    git: (...args) => git(args),
    write,
    async commit(message, files = {}, { at, by = "ann" } = {}) {
      await write(files);
      now = at ?? now + 60;
      await git(["add", "-A"]);
      await git(["commit", "-q", "--allow-empty", "-m", message], identity(by, now));
      return (await git(["rev-parse", "HEAD"])).trim();
    },
  };
}

function identity(name: string, at: number): Record<string, string> {
  const email = `${name}@example.com`;
  const date = `@${at} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

async function runGit(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { ...GIT_VARIABLES, ...identity("ann", Date.UTC(2026, 8, 1) / 1000), ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}
