/** What session memory needs of the world. */
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { Git } from "../platform/git/runner.ts";
import type { Database } from "../platform/sqlite/database.ts";

export interface SessionPowers {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly git: Git;
  /** Name of this computer. */
  readonly machine: string;
  /** Program of the Worker that reads transcripts. */
  readonly readerWorker: string | URL;
  /** Opens the store at a path, or the user's own. */
  readonly openStore: (path: string | undefined) => Promise<Database>;
  /** Absolute path of that store, whether there is one or not. */
  readonly storePath: (path: string | undefined) => string;
  /** Absolute paths of the Go program's databases whose sessions belong in a store. */
  readonly goDatabases: (store: string) => Promise<readonly string[]>;
  /** The calls of workflows that had these sessions, the latest first; absent without workflows. */
  readonly workflowCalls?: (ids: readonly string[]) => Promise<readonly WorkflowCall[]>;
  /** Verification runs of pallium's own, the newest first; absent where none is put on record. */
  readonly verifications?: (search: VerificationSearch) => Promise<readonly Verification[]>;
  /** Tells the user what was done without being asked. */
  readonly notice: (line: string) => void;
}

/** A call of a workflow whose agent had a session. */
export interface WorkflowCall {
  readonly session_id: string;
  readonly run_id: string;
  readonly call_id: string;
  /** Empty where the script gave none. */
  readonly label: string;
  /** Absolute folder that it worked on. */
  readonly repo: string;
  /** Absolute path of a working tree of its own; null or empty where it had none. */
  readonly worktree: string | null;
}

/** Asks for verification runs that have to do with a file. */
export interface VerificationSearch {
  /** Absolute; in the repository. */
  readonly folder: string;
  /** Names of the file, relative to the repository. */
  readonly files: readonly string[];
  /** Commits that were checked out. */
  readonly heads: readonly string[];
}

/** One command that pallium ran and put on record. */
export interface Verification {
  readonly id: number;
  /** `fast`, `safe` or `full`. */
  readonly tier: string;
  readonly command: string;
  readonly exit_code: number;
  readonly timed_out: boolean;
  /** UTC; when it ended. */
  readonly ran_at: string;
  /** Commit that was checked out; null where nobody noted it. */
  readonly head: string | null;
  /** Whether the file was among those that it was about. */
  readonly concerns: boolean;
}

/** Whoever started the work. */
export interface SessionObserver {
  /** A line on how the work goes on; may be left out. */
  readonly notice: (line: string) => void;
  /** The same, for somebody who watches closely. */
  readonly detail: (line: string) => void;
  /** What must not be missed. */
  readonly warn: (line: string) => void;
  /** Aborted once nobody wants to hear more of what an operation streams. */
  readonly readerGone?: () => Promise<AbortSignal>;
  /** Registers for Ctrl-C and SIGTERM; returns how to stop listening. */
  readonly onInterrupt: (listener: (asked: "pause" | "stop") => void) => () => void;
  /** Asks whoever sits at the terminal; `undefined` where nobody does. */
  readonly confirm?: (question: string, signal: AbortSignal) => Promise<boolean | undefined>;
}
