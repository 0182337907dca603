import { constants } from "node:os";
import { endProcesses } from "./ending.ts";
import { findExecutable } from "./executable.ts";
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
  /** Text for stdin, which is empty without it. */
  readonly input?: string;
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

/** Room left for output, shared by the two streams of a program. */
interface Allowance {
  left: number;
  readonly onExceeded: () => void;
}
