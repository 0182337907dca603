import { closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { endProcesses } from "./ending.ts";
import { findExecutable } from "./executable.ts";
import type { Leader } from "./leader.ts";
import type { Looks } from "./looks.ts";
import { MARKER_VARIABLE } from "./marker.ts";
import { totalSize, truncateTo } from "./output-files.ts";
import { cut, recordedEnd } from "./recorded.ts";
import { spawnError } from "./spawn-error.ts";
import { cutFile, exitFile, pidFile, wrapped } from "./wrapper.ts";

const DEFAULT_GRACE_MS = 5000;
const WATCH_MS = 100;
const PRIVATE = { mode: 0o600 };
const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants;
const OUTPUT_FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;

/** A command to run in a process group of its own, its input and output in files. */
export interface ProcessRequest {
  /** The program, looked up in `PATH` of `env`, and its arguments. */
  readonly argv: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** The complete environment, but for the marker. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, existing directory of this call alone; gets the files `pid` and `exit`. */
  readonly dir: string;
  /** What the command reads on stdin; `null` for nothing. */
  readonly stdinFile: string | null;
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Other files the command writes that count as output. */
  readonly watchedFiles?: readonly string[];
  /** Milliseconds from the start after which the command is ended; without it there is no deadline. */
  readonly deadlineMs?: number;
  /** Most bytes of stdout, stderr and the watched files together. */
  readonly outputLimit: number;
  /** Milliseconds between SIGTERM and SIGKILL; 5,000 by default. */
  readonly graceMs?: number;
  /** Asked while the grace lasts; true ends it at once. */
  readonly hurry?: () => boolean;
  /** Shared with the requests that may be ended at the same time. */
  readonly looks?: Looks;
  /** Unique to this call; children are found by it. Holds no white space. */
  readonly marker: string;
}

/** How a command ended. */
export interface ProcessEnd {
  /** Exit status as a shell reports it (128 + n for signal n); `null` when it never got one. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Wrote more than the output limit; its files are cut to it. */
  readonly outputLimited: boolean;
  /** Ended because the caller's signal was aborted. */
  readonly cancelled: boolean;
  /** Milliseconds from start to the verified end of all its processes. */
  readonly durationMs: number;
}

type StopReason = "cancelled" | "timedOut" | "outputLimited";
type Reason = "exited" | StopReason;

function outputFiles(request: ProcessRequest): readonly string[] {
  return [request.stdoutFile, request.stderrFile, ...(request.watchedFiles ?? [])];
}

function isOverLimit(request: ProcessRequest): boolean {
  return totalSize(outputFiles(request)) > request.outputLimit;
}

/** Leaves what a shell leaves of a command that it cannot find. */
function recordMissing(request: ProcessRequest): void {
  writeFileSync(request.stdoutFile, "", PRIVATE);
  writeFileSync(request.stderrFile, `${request.argv[0]}: command not found\n`, PRIVATE);
  writeFileSync(exitFile(request.dir), "127\n", PRIVATE);
}

function spawn(request: ProcessRequest, executable: string): Bun.Subprocess {
  const { argv, cwd, dir, env, marker } = request;
  const files: number[] = [];
  const open = (path: string, flags: number): number => {
    const file = openSync(path, flags, PRIVATE.mode);
    files.push(file);
    return file;
  };
  try {
    return Bun.spawn(wrapped(dir, [executable, ...argv.slice(1)]), {
      cwd,
      env: { ...env, [MARKER_VARIABLE]: marker },
      detached: true,
      stdin: open(request.stdinFile ?? "/dev/null", constants.O_RDONLY),
      stdout: open(request.stdoutFile, OUTPUT_FLAGS),
      stderr: open(request.stderrFile, OUTPUT_FLAGS),
    });
  } catch (error) {
    throw spawnError(error, executable, cwd);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Waits until a command is gone, or for the first reason to end it. */
export async function goneOrStop(
  gone: Promise<unknown>,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<Reason> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<StopReason>();
  const deadline = performance.now() + (request.deadlineMs ?? Number.POSITIVE_INFINITY);
  const onAbort = () => stop("cancelled");
  const watch = setInterval(() => {
    if (performance.now() >= deadline) stop("timedOut");
    else if (isOverLimit(request)) stop("outputLimited");
  }, WATCH_MS);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([gone.then(() => "exited" as const), stopped]);
  } finally {
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Ends what is left of a command and reports how it ended. */
export async function finish(
  request: ProcessRequest,
  leader: Leader | undefined,
  stopped: Reason,
  start: number,
): Promise<ProcessEnd> {
  const graceMs = request.graceMs ?? DEFAULT_GRACE_MS;
  let reason = stopped;
  try {
    if (reason !== "exited" && !cut(request.dir)) reason = "exited";
  } finally {
    await endProcesses(
      { leader, marker: request.marker },
      {
        graceMs,
        hurry: () => isOverLimit(request) || request.hurry?.() === true,
        ...(request.looks === undefined ? {} : { looks: request.looks }),
      },
    );
  }
  await leader?.gone;
  const overLimit = isOverLimit(request);
  if (overLimit) truncateTo(request.outputLimit, outputFiles(request));
  return processEnd(recordedEnd(request.dir), overLimit ? "outputLimited" : reason, start);
}

function processEnd(exitCode: number | null, reason: Reason, start: number): ProcessEnd {
  return {
    exitCode,
    timedOut: reason === "timedOut",
    outputLimited: reason === "outputLimited",
    cancelled: reason === "cancelled",
    durationMs: Math.round(performance.now() - start),
  };
}

/**
 * Runs a command until it and everything it started have ended. Resolves for every way to end;
 * stdout and stderr are in their files, pid and exit status in `dir`, from which a later process
 * can take over should this one die (`adoptProcess`).
 * @throws PalliumError `directory_missing`, `spawn_failed`, `process_survived`.
 */
export async function runProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const start = performance.now();
  const { argv, cwd, dir, env } = request;
  rmSync(pidFile(dir), { force: true });
  rmSync(exitFile(dir), { force: true });
  rmSync(cutFile(dir), { force: true });
  if (signal.aborted) return processEnd(null, "cancelled", start);
  const executable = findExecutable(argv[0] ?? "", env.PATH ?? "", cwd);
  if (executable === undefined) {
    recordMissing(request);
    return processEnd(recordedEnd(dir), "exited", start);
  }
  const child = spawn(request, executable);
  const reason = await goneOrStop(child.exited, request, signal);
  return await finish(request, { pid: child.pid, gone: child.exited }, reason, start);
}
