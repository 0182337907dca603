import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** How the program is started from source, untouched by files of the directory it is started in. */
export const FROM_SOURCE: readonly string[] = [
  process.execPath,
  "--config=/dev/null",
  "--no-env-file",
  MAIN,
];

const built = process.env.PALLIUM_TEST_EXECUTABLE;

/** How tests start the program: as it was built for a whole run of them, else from source. */
export const PALLIUM: readonly string[] = built === undefined ? FROM_SOURCE : [built];

export interface CliOptions {
  readonly cwd?: string;
  /** Added to PATH and HOME, which are all that is set. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; it is empty without. */
  readonly input?: string;
  /** How pallium is started; `PALLIUM` without. */
  readonly program?: readonly string[];
}

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + the signal's number where a signal ended it, as a shell has it. */
  readonly exitCode: number;
}

/** A directory of its own with a HOME in it; gone when disposed. */
export interface CliHome extends AsyncDisposable {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs pallium in `directory` with this HOME, and waits for its end. */
  pallium(args: readonly string[], options?: CliOptions): Promise<CliResult>;
}

async function run(
  args: readonly string[],
  options: CliOptions,
  directory: string,
): Promise<CliResult> {
  const child = Bun.spawn([...(options.program ?? PALLIUM), ...args], {
    cwd: options.cwd ?? directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory, ...options.env },
    stdin: new TextEncoder().encode(options.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}

/** Makes a home for several calls of pallium that belong together. */
export async function cliHome(): Promise<CliHome> {
  const directory = await mkdtemp(join(tmpdir(), "pallium-cli-"));
  return {
    directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory },
    pallium: (args, options = {}) => run(args, options, directory),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Runs pallium once, from source, in a home of its own. */
export async function pallium(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  await using home = await cliHome();
  return await home.pallium(args, options);
}
