import { closeSync, openSync } from "node:fs";
import { spawnError } from "./spawn-error.ts";

export interface DetachedRequest {
  readonly argv: readonly string[];
  /** Absolute working directory. */
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What it reads on stdin. */
  readonly input: string;
  /** Gets what it writes to stderr, behind what is there; made where it is missing. */
  readonly logFile: string;
}

export interface DetachedProcess {
  readonly pid: number;
  /** What it printed on stdout up to its first newline, or its end. */
  readonly answer: string;
}

/**
 * Starts a process in a session of its own, which outlives this one and its terminal, and waits for
 * the first line that it prints. It must not print another: nobody reads on.
 * @throws PalliumError when it cannot be started.
 */
export async function startDetached(request: DetachedRequest): Promise<DetachedProcess> {
  const log = openSync(request.logFile, "a", 0o600);
  try {
    const child = spawn(request, log);
    const answer = await firstLine(child.stdout);
    child.unref();
    return { pid: child.pid, answer };
  } finally {
    closeSync(log);
  }
}

function spawn({ argv, cwd, env, input }: DetachedRequest, log: number) {
  try {
    return Bun.spawn([...argv], {
      cwd,
      env: { ...env },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: log,
      detached: true,
    });
  } catch (error) {
    throw spawnError(error, argv[0] ?? "", cwd);
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  return text;
}
