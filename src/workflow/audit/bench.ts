/** Where a probe works: a home of its own, and this very program as a user would call it there. */
import { dirname, join } from "node:path";
import type { PalliumError } from "../../lib/errors.ts";
import { type Json, parseJson } from "../../lib/json.ts";
import { ensurePrivateDir, exists, readTextFile, writePrivateFile } from "../../platform/files.ts";
import { createGit, type Git } from "../../platform/git/runner.ts";
import { capture } from "../../platform/process/capture.ts";
import { sleep } from "../../platform/sleep.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";
import { absent, unmet, valueAt } from "./holds.ts";

const COMMAND_MS = 60_000;
const OUTPUT_LIMIT = 4 * 1024 * 1024;
/** How long a probe waits for a file that an agent of its writes. */
const APPEARS_MS = 30_000;
const LOOK_MS = 20;
/** Of what a command says of its failure, so much goes into a message. */
const SAID = 300;
const UNKNOWN_COMMAND = /unknown (workflow )?(?:sub)?command: ([\w-]+)/;

export interface CallOptions {
  /** Absolute; the home without. */
  readonly cwd?: string;
  /** Added to the few variables that are set. */
  readonly env?: Readonly<Record<string, string>>;
  /** For stdin, which is empty without it. */
  readonly input?: string;
}

export interface RunOptions extends CallOptions {
  readonly id?: string;
  readonly flags?: readonly string[];
}

export interface Bench {
  /** Absolute; holds the home of the program, and nothing else at first. */
  readonly directory: string;
  /** Standard output of a command that must succeed. */
  text(args: readonly string[], options?: CallOptions): Promise<string>;
  /** The document of a command that must succeed. */
  json(args: readonly string[], options?: CallOptions): Promise<Json>;
  /** All that a command prints that must fail. */
  refusal(args: readonly string[], options?: CallOptions): Promise<string>;
  /** Runs a script that must succeed; `result` of the document is what it returned. */
  run(source: string, options?: RunOptions): Promise<Json>;
  /** All that the run of a script prints that must fail. */
  failedRun(source: string, options?: RunOptions): Promise<string>;
  /** Makes a repository with `note.txt`, one line of it committed. @returns its absolute path. */
  repository(name?: string): Promise<string>;
  /** Runs git and returns what it prints. */
  git(cwd: string, ...args: readonly string[]): Promise<string>;
  /** Writes a file below the directory. @returns its absolute path. */
  write(path: string, text: string): Promise<string>;
  /** Text of a file, by its absolute path; empty where there is none. */
  read(path: string): Promise<string>;
  /** Waits until a file is there, by its absolute path. */
  appears(path: string): Promise<void>;
}

export interface DisposableBench extends Bench, AsyncDisposable {}

/**
 * @param program how this program is started.
 * @param path where programs are found, as `PATH`.
 */
export async function createBench(
  program: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<DisposableBench> {
  const folder = await temporaryFolder("pallium-audit-");
  const directory = folder.path;
  const env = surroundings(directory, path);
  const call = async (args: readonly string[], options: CallOptions = {}) =>
    capture([...program, ...args], {
      cwd: options.cwd ?? directory,
      env: { ...env, ...options.env },
      timeoutMs: COMMAND_MS,
      outputLimit: OUTPUT_LIMIT,
      signal,
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  return {
    directory,
    ...calls(call),
    ...runs(call, directory),
    ...files(directory, createGit(env).endedBy(signal), signal),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type Call = (
  args: readonly string[],
  options?: CallOptions,
) => Promise<{
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}>;

/** Nothing of the user's: no settings, no store, no providers, no configuration of git. */
function surroundings(directory: string, path: string): Record<string, string> {
  return {
    PATH: path,
    HOME: directory,
    GIT_CEILING_DIRECTORIES: dirname(directory),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "pallium audit",
    GIT_AUTHOR_EMAIL: "audit@localhost",
    GIT_COMMITTER_NAME: "pallium audit",
    GIT_COMMITTER_EMAIL: "audit@localhost",
  };
}

async function succeed(call: Call, args: readonly string[], options?: CallOptions) {
  const { exitCode, stdout, stderr, timedOut } = await call(args, options);
  if (exitCode === 0 && !timedOut) return stdout;
  const command = nameOf(args);
  if (timedOut) throw unmet(`${command} took longer than ${COMMAND_MS / 1000} s`);
  throw failureOf(command, exitCode, stderr);
}

/** A command that the program does not have is no failure of what it has. */
function failureOf(command: string, exitCode: number, stderr: string): PalliumError {
  const [, group = "", word] = UNKNOWN_COMMAND.exec(stderr) ?? [];
  if (word !== undefined) return absent(`there is no pallium ${group}${word}`);
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const said = valueAt(parseJson(last) ?? null, "error.message") ?? last;
  return unmet(`${command} ended with exit status ${exitCode}: ${String(said).slice(0, SAID)}`);
}

/** What was called, without the flags and what follows them. */
function nameOf(args: readonly string[]): string {
  const flag = args.findIndex((word) => word.startsWith("-"));
  return ["pallium", ...args.slice(0, flag === -1 ? args.length : flag)].join(" ");
}

function calls(call: Call): Pick<Bench, "text" | "json" | "refusal"> {
  return {
    text: (args, options) => succeed(call, args, options),
    json: async (args, options) => {
      const document = parseJson(await succeed(call, [...args, "--json"], options));
      if (document === undefined) throw unmet(`${nameOf(args)} printed no JSON`);
      return document;
    },
    refusal: async (args, options) => {
      const { exitCode, stdout, stderr } = await call(args, options);
      if (exitCode !== 0) return `${stdout}${stderr}`;
      throw unmet(`${nameOf(args)} succeeded, and was to be refused`);
    },
  };
}

function runs(call: Call, directory: string): Pick<Bench, "run" | "failedRun"> {
  const words = async (source: string, { id = "wf-audit", flags = [] }: RunOptions) => {
    const script = join(directory, `${id}.js`);
    await writePrivateFile(script, source);
    return ["workflow", "run", "--id", id, "--script", script, ...flags];
  };
  const { json, refusal } = calls(call);
  return {
    run: async (source, options = {}) => {
      const document = await json(await words(source, options), options);
      const { run } = document as { readonly run?: { readonly result?: string } };
      const result = run?.result ?? "";
      return { ...(document as object), result: parseJson(result) ?? result } as Json;
    },
    failedRun: async (source, options = {}) => refusal(await words(source, options), options),
  };
}

function files(
  directory: string,
  git: Git,
  signal: AbortSignal,
): Pick<Bench, "repository" | "git" | "write" | "read" | "appears"> {
  const inGit = async (cwd: string, ...args: readonly string[]) =>
    (await git.run(args, { cwd })).stdout;
  const write = async (path: string, text: string) => {
    const absolute = join(directory, path);
    await ensurePrivateDir(dirname(absolute));
    await writePrivateFile(absolute, text);
    return absolute;
  };
  return {
    write,
    git: inGit,
    read: async (path) => (await readTextFile(path)) ?? "",
    repository: async (name = "repo") => {
      const top = dirname(await write(`${name}/note.txt`, "one\n"));
      await inGit(top, "init", "--quiet");
      await inGit(top, "add", "note.txt");
      await inGit(top, "commit", "--quiet", "--message", "Add a note");
      return top;
    },
    appears: async (path) => {
      for (let waited = 0; !(await exists(path)); waited += LOOK_MS) {
        signal.throwIfAborted();
        if (waited > APPEARS_MS) throw unmet(`no agent wrote ${path}`);
        await sleep(LOOK_MS, signal);
      }
    },
  };
}

/** Variables that make a shell command the provider of that name. */
export function provider(name: string, command: string): Record<string, string> {
  return { [`PALLIUM_WORKFLOW_PROVIDER_${name.toUpperCase()}_COMMAND`]: command };
}

/** Variables that have every agent answer this. */
export function answering(text: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_AGENT_STUB: text };
}
