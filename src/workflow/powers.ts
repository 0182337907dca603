/** What the workflow domain needs from outside; made once in `app/wire`. */
import type { Json } from "../lib/json.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { Git } from "../platform/git/runner.ts";
import type { Ids } from "../platform/ids.ts";
import type { Database } from "../platform/sqlite/database.ts";
import type { ControlAction } from "./run/control.ts";

export interface WorkflowPowers {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly git: Git;
  /** Absolute folder of pallium's own data. */
  readonly home: string;
  /** Folder that holds a directory per run. */
  readonly runsDirectory: string;
  /** Opens the workflow store; `path` overrides where it is. */
  readonly openStore: (path: string | undefined) => Promise<Database>;
  readonly scriptWorker: string | URL;
  readonly schemaWorker: string | URL;
  readonly repoWorker: string | URL;
  /** JSON Schema of what an operation answers, by the name it has in the table of operations. */
  readonly answerSchema: (operation: string) => Promise<Json>;
  /** The best first; absent where nobody remembers sessions. */
  relatedSessions?(search: SessionSearch): Promise<readonly RelatedSession[]>;
  /** Text of the script that puts the installed program to the test. */
  readonly acceptanceScript: () => Promise<string>;
}

/** Asks for sessions of agents that have to do with a run. */
export interface SessionSearch {
  /** Absolute. */
  readonly folder: string;
  /** What the run was about, in plain words. */
  readonly query: string;
  /** Sessions that its own agents had, as their providers name them. */
  readonly ofRun: readonly string[];
  readonly limit: number;
}

/** What reports look at of a session; they hand on whatever else session memory says of it. */
export interface RelatedSession {
  readonly id: string;
  readonly title: string;
  readonly score: number;
  /** What the score is for. */
  readonly signals: readonly string[];
}

/** How a run talks to whoever started it. */
export interface RunObserver {
  /** A line on how the work goes on; may be left out. */
  readonly notice: (line: string) => void;
  /** The same, for somebody who watches closely. */
  readonly detail: (line: string) => void;
  /** What must not be missed. */
  readonly warn: (line: string) => void;
  /** The run is this process's to execute; its row is written. */
  readonly claimed?: () => void;
  /** Aborted once nobody wants to hear more of what an operation streams. */
  readonly readerGone?: () => Promise<AbortSignal>;
  /** Registers for Ctrl-C and SIGTERM; returns how to stop listening. */
  readonly onInterrupt: (listener: (action: ControlAction) => void) => () => void;
  /** Asks whoever sits at the terminal; `undefined` where nobody does. */
  readonly confirm?: (question: string, signal: AbortSignal) => Promise<boolean | undefined>;
}
