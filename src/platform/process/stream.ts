import { endProcesses } from "./ending.ts";
import { spawnError } from "./spawn-error.ts";

/** What a helper program gets between SIGTERM and SIGKILL. */
const GRACE_MS = 500;
/**
 * A program that writes little at a time wakes its reader each time, which costs both more than the
 * work. After so many chunks smaller than that, reads are put off for a moment, in which the pipe
 * fills.
 */
const SMALL_BYTES = 32 * 1024;
const MANY_CHUNKS = 64;
const MOMENT_MS = 1;
/** Of what it says on stderr, as much is kept. */
const STDERR_LIMIT = 64 * 1024;

export interface StreamOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** For stdin, at once or, as text, piece by piece; stdin is empty without it. */
  readonly input?: string | Uint8Array | AsyncIterable<string>;
  /** Its abort ends the program; the stream then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Is told, as soon as the program runs, what settles once it is gone, whether its output is read or not. */
  readonly onStart?: (gone: Promise<unknown>) => void;
}

/** How a streamed program ended. */
export interface StreamEnd {
  /** Exit status as a shell reports it: 128 + n for signal n. */
  readonly exitCode: number;
  /** The beginning of what it said there. */
  readonly stderr: string;
}

/**
 * Runs a helper program and yields what it prints as it comes, in memory bounded by one chunk. It
 * has a process group of its own, which is ended when the caller leaves the loop or aborts.
 * @param argv the program's absolute path and its arguments.
 * @returns how it ended, once all of its output was read.
 * @throws PalliumError `directory_missing`, `spawn_failed`, `process_survived`.
 */
export async function* stream(
  argv: readonly string[],
  { cwd, env, input, signal, onStart }: StreamOptions,
): AsyncGenerator<Uint8Array, StreamEnd, undefined> {
  signal?.throwIfAborted();
  const child = start(argv, cwd, env, input);
  const leader = { pid: child.pid, gone: child.exited };
  let ending: Promise<unknown> | undefined;
  const end = () => {
    ending ??= endProcesses({ leader }, { graceMs: GRACE_MS });
    return ending;
  };
  onStart?.(child.exited.then(() => ending));
  const reader = child.stdout.getReader();
  const stderr = readBeginning(child.stderr);
  // Whoever reads may be busy with something else: the program does not wait for that.
  const onAbort = () => {
    end().catch(() => {});
    void reader.cancel();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  let finished = false;
  try {
    for (let chunks = 0; ; chunks++) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      yield value;
      if (chunks > MANY_CHUNKS && value.length < SMALL_BYTES) await Bun.sleep(MOMENT_MS);
    }
    const exitCode = await child.exited;
    finished = true;
    return { exitCode, stderr: await stderr };
  } finally {
    signal?.removeEventListener("abort", onAbort);
    if (!finished) await end();
  }
}

function start(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  input: StreamOptions["input"],
) {
  try {
    return Bun.spawn([...argv], {
      cwd,
      env: { ...env },
      detached: true,
      stdin: stdinOf(input),
      stdout: "pipe",
      stderr: "pipe",
    });
  } catch (error) {
    throw spawnError(error, argv[0] ?? "", cwd);
  }
}

function stdinOf(input: StreamOptions["input"]) {
  if (input === undefined) return "ignore";
  if (typeof input === "string") return Buffer.from(input);
  if (input instanceof Uint8Array) return input;
  const pieces = input[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function readBeginning(output: ReadableStream<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    if (size < STDERR_LIMIT) kept.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(kept).subarray(0, STDERR_LIMIT).toString("utf8");
}
