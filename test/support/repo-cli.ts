import { withFileLimit } from "./child.ts";
import { type CliOptions, type CliResult, cliHome, PALLIUM } from "./cli.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "./repository.ts";

/** A repository and a home of their own, and pallium run in it. */
export interface RepoCli extends AsyncDisposable {
  readonly repo: TestRepository;
  /** The user's home. */
  readonly directory: string;
  /** Runs pallium in the repository, or a folder of it. */
  pallium(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** The same where no file may grow over so many blocks of 512 bytes. */
  limited(args: readonly string[], blocks: number): Promise<CliResult>;
  /** The same with `--json`; what it printed. It must succeed. */
  json<T>(args: readonly string[], options?: CliOptions): Promise<T>;
  /** The code and hints of the error that it must fail with. */
  failure(
    args: readonly string[],
    options?: CliOptions,
  ): Promise<{
    readonly code: string;
    readonly message: string;
    readonly hints: readonly string[];
  }>;
}

export async function repoCli(...initOptions: string[]): Promise<RepoCli> {
  const home = await cliHome();
  const repo = await testRepository(...initOptions);
  const { HOME: _, ...variables } = GIT_VARIABLES;
  const pallium: RepoCli["pallium"] = (args, options = {}) =>
    home.pallium(args, {
      cwd: repo.path,
      ...options,
      env: { ...variables, ...options.env },
    });
  return {
    repo,
    directory: home.directory,
    pallium,
    async json(args, options) {
      const { stdout, stderr, exitCode } = await pallium(asJson(args), options);
      if (exitCode !== 0)
        throw new Error(`pallium ${args.join(" ")} exited ${exitCode}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async failure(args, options) {
      const { stderr, exitCode } = await pallium(asJson(args), options);
      if (exitCode === 0) throw new Error(`pallium ${args.join(" ")} succeeded`);
      return JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
    },
    async limited(args, blocks) {
      await using child = Bun.spawn(withFileLimit(blocks, [...PALLIUM, ...args]), {
        cwd: repo.path,
        env: { ...home.env, ...variables },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { stdout, stderr, exitCode: await child.exited };
    },
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Behind `--` it would be a word like others. */
function asJson([command = "", ...args]: readonly string[]): readonly string[] {
  return [command, "--json", ...args];
}
