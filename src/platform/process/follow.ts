import { endProcesses } from "./ending.ts";
import { findExecutable } from "./executable.ts";
import { MARKER_VARIABLE } from "./marker.ts";
import { settlesWithin } from "./settles-within.ts";
import { spawnError } from "./spawn-error.ts";

const DEFAULT_GRACE_MS = 2000;
/** How long the rest of the output may take once the command itself has ended. */
const DRAIN_MS = 500;
const COMMAND_NOT_FOUND = 127;
const INTERRUPTED = 130;

export interface FollowOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** The complete environment, but for the marker. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds after which the command is ended; without it there is no limit. */
  readonly timeoutMs?: number;
  /** Its abort ends the command. */
  readonly signal?: AbortSignal;
  /** Milliseconds between SIGTERM and SIGKILL; 2,000 by default. */
  readonly graceMs?: number;
  /** Unique to this command; children that left its group are found by it. Holds no white space. */
  readonly marker?: string;
  /** Gets stdout and stderr as they come, in the order in which they were written. */
  readonly onOutput: (bytes: Uint8Array) => void;
}

export interface FollowEnd {
  /** Exit status as a shell reports it: 128 + n for signal n, 127 for a missing program. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  /** Milliseconds from start to the verified end of all its processes. */
  readonly durationMs: number;
}

type Reason = "exited" | "timedOut" | "interrupted";

// One pipe for both streams keeps their order. `exec` leaves no shell between.
const JOINED = ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh"];

/**
 * Runs a command in a process group of its own, with empty stdin, and hands over what it prints
 * as it comes. Resolves for every way to end, once it and what it left behind are gone.
 * @throws PalliumError `directory_missing`, `spawn_failed`, `process_survived`.
 */
export async function follow(argv: readonly string[], options: FollowOptions): Promise<FollowEnd> {
  const { cwd, env, signal, graceMs = DEFAULT_GRACE_MS, marker, onOutput } = options;
  const start = performance.now();
  const end = (exitCode: number, reason: Reason) => endOf(exitCode, reason, start);
  if (signal?.aborted) return end(INTERRUPTED, "interrupted");
  const [program = "", ...args] = argv;
  const executable = findExecutable(program, env.PATH ?? "", cwd);
  if (executable === undefined) {
    onOutput(Buffer.from(`${program}: command not found\n`));
    return end(COMMAND_NOT_FOUND, "exited");
  }
  const child = spawn([...JOINED, executable, ...args], options);
  const reader = child.stdout.getReader();
  const drained = readAll(reader, onOutput);
  const reason = await exitOrStop(child.exited, options);
  const leader = { pid: child.pid, gone: child.exited };
  if (reason === "exited") await settlesWithin(DRAIN_MS, drained);
  await endProcesses({ leader, ...(marker === undefined ? {} : { marker }) }, { graceMs });
  const exitCode = await child.exited;
  if (!(await settlesWithin(DRAIN_MS, drained))) await reader.cancel();
  await drained;
  return end(exitCode, reason);
}

function spawn(argv: readonly string[], { cwd, env, marker }: FollowOptions) {
  try {
    return Bun.spawn([...argv], {
      cwd,
      env: marker === undefined ? { ...env } : { ...env, [MARKER_VARIABLE]: marker },
      detached: true,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
  } catch (error) {
    throw spawnError(error, argv[JOINED.length] ?? "", cwd);
  }
}

interface ByteReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
}

async function readAll(reader: ByteReader, onOutput: (bytes: Uint8Array) => void): Promise<void> {
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    onOutput(value);
  }
}

/** Waits for a command's exit, or for the first reason to end it. */
async function exitOrStop(
  exited: Promise<number>,
  { timeoutMs, signal }: FollowOptions,
): Promise<Reason> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<Reason>();
  const onAbort = () => stop("interrupted");
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timedOut"), timeoutMs);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([exited.then(() => "exited" as const), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function endOf(exitCode: number, reason: Reason, start: number): FollowEnd {
  return {
    exitCode,
    timedOut: reason === "timedOut",
    interrupted: reason === "interrupted",
    durationMs: Math.round(performance.now() - start),
  };
}
