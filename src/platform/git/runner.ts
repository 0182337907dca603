import { PalliumError } from "../../lib/errors.ts";
import { type Captured, capture } from "../process/capture.ts";
import { findExecutable } from "../process/executable.ts";
import { createRunning, type Running } from "../process/running.ts";
import { stream } from "../process/stream.ts";
import { neutralArguments, neutralVariables } from "./neutral.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const OUTPUT_LIMIT = 256 * 1024 * 1024;

type Variables = Readonly<Record<string, string>>;

export interface GitOptions {
  /** Absolute directory in which git runs. */
  readonly cwd: string;
  /** For stdin, which is empty without it. */
  readonly input?: string | Uint8Array;
  /** Milliseconds; 120,000 by default. */
  readonly timeoutMs?: number;
  /** Exit statuses that are an answer rather than a failure; only 0 by default. */
  readonly okCodes?: readonly number[];
  /** Added to its environment, such as `GIT_INDEX_FILE`. */
  readonly variables?: Variables;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitStreamOptions {
  /** Absolute directory in which git runs. */
  readonly cwd: string;
  /** For stdin, at once or, as text, piece by piece. */
  readonly input?: string | Uint8Array | AsyncIterable<string>;
  /** Its abort ends git; the stream then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Added to its environment, such as `GIT_INDEX_FILE`. */
  readonly variables?: Variables;
}

/** Git with neutral settings: no hooks, no pager, no prompts, no programs of the repository's choice. */
export interface Git {
  /**
   * Runs one git command, `args` without the word `git`.
   * @throws PalliumError `git_missing`, `not_a_repository`, `git_failed`, `directory_missing`.
   */
  run(args: readonly string[], options: GitOptions): Promise<GitResult>;
  /**
   * The bytes that one git command prints, as they come: for output that is long, or that holds
   * file names of any encoding. No time limit; leaving the loop ends git.
   * @throws those of `run`, at the end of what git printed before it failed.
   */
  stream(args: readonly string[], options: GitStreamOptions): AsyncGenerator<Uint8Array>;
  /** Absolute path of the working tree that holds `cwd`; `undefined` outside of one. */
  topLevel(cwd: string): Promise<string | undefined>;
  /** Full hash of the checked-out commit; `undefined` while there are no commits. */
  headCommit(cwd: string): Promise<string | undefined>;
  /** Files below `cwd` that are tracked, or new and not ignored: relative paths, sorted. */
  listFiles(cwd: string): Promise<readonly string[]>;
  /** The same git, whose commands an abort of this signal ends; they then throw its reason. */
  endedBy(signal: AbortSignal): Git;
  /** Settles once none of its commands runs, nor one of what `endedBy` made of it. */
  idle(): Promise<void>;
}

/** The fields of `-z` output. */
export function splitNul(text: string): string[] {
  const fields = text.split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

/**
 * Refuses a revision that git would take for an option.
 * @throws PalliumError `bad_ref`
 */
export function assertRef(ref: string): void {
  if (ref !== "" && !ref.startsWith("-")) return;
  throw new PalliumError("bad_ref", `not a revision: ${JSON.stringify(ref)}`, {
    hints: ["name a branch, a tag or a commit; none begins with a dash"],
  });
}

function gitFailure(command: string, timeoutMs: number, captured: Captured): PalliumError {
  if (captured.timedOut) {
    return new PalliumError("git_failed", `git ${command} took longer than ${timeoutMs} ms`, {
      hints: ["another program may hold the repository; try again"],
    });
  }
  if (captured.truncated) {
    return new PalliumError(
      "git_failed",
      `git ${command} printed more than ${OUTPUT_LIMIT} bytes`,
      {
        hints: ["narrow it to fewer files or commits"],
      },
    );
  }
  return refused(command, captured);
}

/** Git itself said no. */
function refused(command: string, said: { exitCode: number; stderr: string }): PalliumError {
  const reason = said.stderr.trim();
  if (/not a git repository|must be run in a work tree/.test(reason)) {
    return new PalliumError("not_a_repository", `git ${command}: ${reason}`, {
      hints: ["run this inside a git working tree, or create one with: git init"],
    });
  }
  const what = reason === "" ? `exit status ${said.exitCode}` : reason;
  return new PalliumError("git_failed", `git ${command}: ${what}`, {
    hints: ["run the same git command in that directory to see more"],
  });
}

/** Where git is. */
function gitExecutable(env: Variables, cwd: string): string {
  const executable = findExecutable("git", env.PATH ?? "", cwd);
  if (executable !== undefined) return executable;
  throw new PalliumError("git_missing", "git is not installed, or not in PATH", {
    hints: ["install git 2.31 or newer"],
  });
}

function createRun(env: Variables, signal: AbortSignal | undefined, running: Running): Git["run"] {
  return async (args, options) => {
    const { cwd, input, timeoutMs = DEFAULT_TIMEOUT_MS, okCodes = [0], variables } = options;
    const capturing = capture([gitExecutable(env, cwd), ...neutralArguments(args)], {
      cwd,
      env: { ...env, ...variables },
      timeoutMs,
      outputLimit: OUTPUT_LIMIT,
      ...(input === undefined ? {} : { input }),
      ...(signal === undefined ? {} : { signal }),
    });
    running.add(capturing);
    const captured = await capturing;
    const { exitCode, stdout, stderr, timedOut, truncated } = captured;
    if (timedOut || truncated || !okCodes.includes(exitCode)) {
      throw gitFailure(args[0] ?? "", timeoutMs, captured);
    }
    return { exitCode, stdout, stderr };
  };
}

function createStream(
  env: Variables,
  signal: AbortSignal | undefined,
  running: Running,
): Git["stream"] {
  return async function* (args, options) {
    const argv = [gitExecutable(env, options.cwd), ...neutralArguments(args)];
    const signals = [signal, options.signal].filter((one) => one !== undefined);
    const end = yield* stream(argv, {
      ...options,
      env: { ...env, ...options.variables },
      onStart: running.add,
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    });
    if (end.exitCode !== 0) throw refused(args[0] ?? "", end);
  };
}

/** Makes a git that runs with these environment variables, those that redirect it left out. */
export function createGit(environmentVariables: Variables): Git {
  return gitWith(neutralVariables(environmentVariables), undefined, createRunning());
}

function gitWith(env: Variables, signal: AbortSignal | undefined, running: Running): Git {
  const run = createRun(env, signal, running);
  return {
    run,
    stream: createStream(env, signal, running),
    endedBy: (other) => {
      const either = signal === undefined ? other : AbortSignal.any([signal, other]);
      return gitWith(env, either, createRunning(running));
    },
    idle: running.idle,
    async topLevel(cwd) {
      try {
        const { stdout } = await run(["rev-parse", "--show-toplevel"], { cwd });
        return stdout.replace(/\n$/, "");
      } catch (error) {
        if (error instanceof PalliumError && error.code === "not_a_repository") return undefined;
        throw error;
      }
    },
    async headCommit(cwd) {
      const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
      const { stdout } = await run(args, { cwd, okCodes: [0, 1] });
      return stdout.trim() || undefined;
    },
    async listFiles(cwd) {
      const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      const { stdout } = await run(args, { cwd });
      return [...new Set(splitNul(stdout))].sort();
    },
  };
}
