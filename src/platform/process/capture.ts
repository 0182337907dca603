import { endProcesses } from "./ending.ts";
import { findExecutable } from "./executable.ts";
import { settlesWithin } from "./settles-within.ts";
import { spawnError } from "./spawn-error.ts";

/** What a helper program gets between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
/** How long the rest of the output may take once the program itself has ended. */
const DRAIN_MS = 1000;

export interface CaptureOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Most bytes of stdout and stderr together. */
  readonly outputLimit: number;
  /** For stdin, which is empty without it. */
  readonly input?: string | Uint8Array;
  /** Its abort ends the program; the signal's reason is then thrown. */
  readonly signal?: AbortSignal;
}

export interface Captured {
  /** Exit status as a shell reports it: 128 + n for signal n, 127 for a missing program. */
  readonly exitCode: number;
  /** Decoded as UTF-8; other bytes become U+FFFD. */
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Output is missing: it went over the limit, or a process left behind kept it open. */
  readonly truncated: boolean;
}

interface OutputReader {
  /** Settles at the end of the stream. */
  readonly ended: Promise<void>;
  cancel(): Promise<void>;
  text(): string;
}

/** Reads a stream to its end; `take` says how many bytes of each chunk to keep. */
function readOutput(
  stream: ReadableStream<Uint8Array>,
  take: (size: number) => number,
): OutputReader {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  const readAll = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      chunks.push(value.subarray(0, take(value.length)));
    }
  };
  return {
    ended: readAll(),
    cancel: () => reader.cancel(),
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

function spawn(executable: string, args: readonly string[], options: CaptureOptions) {
  try {
    return Bun.spawn([executable, ...args], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdin: options.input === undefined ? "ignore" : Buffer.from(options.input),
      stdout: "pipe",
      stderr: "pipe",
    });
  } catch (error) {
    throw spawnError(error, executable, options.cwd);
  }
}

/** Shares a number of bytes among streams. */
function outputLimit(bytes: number) {
  const { promise: exceeded, resolve } = Promise.withResolvers<void>();
  let left = bytes;
  let isExceeded = false;
  const take = (size: number): number => {
    const kept = Math.min(size, left);
    left -= kept;
    if (kept < size) {
      isExceeded = true;
      resolve();
    }
    return kept;
  };
  return { take, exceeded, isExceeded: () => isExceeded };
}

/** Settles when a signal is aborted. */
function abortion(signal: AbortSignal | undefined) {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  return { aborted, forget: () => signal?.removeEventListener("abort", onAbort) };
}

/**
 * Runs a short helper program and returns what it printed. It has a process group of its own,
 * which is ended when the time is over, the output too long or the signal aborted.
 * @throws PalliumError `directory_missing`, `spawn_failed`, `process_survived`.
 */
export async function capture(argv: readonly string[], options: CaptureOptions): Promise<Captured> {
  const { signal } = options;
  signal?.throwIfAborted();
  const [program = "", ...args] = argv;
  const executable = findExecutable(program, options.env.PATH ?? "", options.cwd);
  if (executable === undefined) {
    const stderr = `${program}: command not found\n`;
    return { exitCode: 127, stdout: "", stderr, timedOut: false, truncated: false };
  }

  const child = spawn(executable, args, options);
  const limit = outputLimit(options.outputLimit);
  const outputs = [readOutput(child.stdout, limit.take), readOutput(child.stderr, limit.take)];
  const { aborted, forget } = abortion(signal);
  const finished = Promise.race([child.exited, limit.exceeded, aborted]);
  const timedOut = !(await settlesWithin(options.timeoutMs, finished));
  forget();
  const leader = { pid: child.pid, gone: child.exited };
  const endGroup = () => endProcesses({ leader }, { graceMs: GRACE_MS });
  if (timedOut || limit.isExceeded() || signal?.aborted === true) await endGroup();
  signal?.throwIfAborted();
  const exitCode = await child.exited;
  const drained = await settlesWithin(DRAIN_MS, Promise.all(outputs.map((output) => output.ended)));
  if (!drained) {
    await endGroup();
    await Promise.all(outputs.map((output) => output.cancel()));
  }
  const [stdout = "", stderr = ""] = outputs.map((output) => output.text());
  return { exitCode, stdout, stderr, timedOut, truncated: limit.isExceeded() || !drained };
}
