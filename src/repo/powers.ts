/** What repo memory needs from outside; made once in `app/wire`. */
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { Git } from "../platform/git/runner.ts";
import type { Ids } from "../platform/ids.ts";

export interface RepoPowers {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly git: Git;
  /** Absolute folder of pallium's own data. */
  readonly home: string;
  /** Absent where nobody puts decisions on record. */
  recordedDecisions?(search: RecordedSearch): Promise<readonly RecordedDecision[]>;
  /** The best first; absent where nobody remembers sessions. */
  relatedSessions?(search: SessionSearch): Promise<readonly RelatedSession[]>;
  /** In what state session memory is. */
  sessionMemory?(): Promise<SessionMemory>;
}

/** Asks for sessions of agents that have to do with files of a repository. */
export interface SessionSearch {
  /** Absolute; in the repository. */
  readonly folder: string;
  /** Relative to its top. */
  readonly files: readonly string[];
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

export interface SessionMemory {
  /** Absolute, whether there is a store or not. */
  readonly path: string;
  /** Absent without a store. */
  readonly stats?: SessionCounts;
  readonly embedding_model: string;
  /** Pieces without a vector of the model. */
  readonly embedding_backlog?: number;
  /** Why a store that is there cannot be read. */
  readonly problem?: string;
}

export interface SessionCounts {
  readonly sessions: number;
  readonly events: number;
  readonly messages: number;
  readonly chunks: number;
  readonly embeddings: number;
  readonly models: readonly unknown[];
}

/** A decision that somebody put on record, as opposed to one that is read out of a commit. */
export interface RecordedDecision {
  readonly id: string;
  readonly run_id: string;
  readonly title: string;
  readonly body?: string;
  readonly tags?: readonly string[];
  /** UTC with milliseconds. */
  readonly created_at: string;
}

/** Asks for decisions that were made in one of the folders, or below it, and hold any of the words. */
export interface RecordedSearch {
  readonly folders: readonly string[];
  readonly words: readonly string[];
}

/** How a command of repo memory talks to whoever asked. */
export interface RepoObserver {
  /** A line on how the work goes on; may be left out. */
  readonly notice: (line: string) => void;
  /** The same, for somebody who watches closely. */
  readonly detail: (line: string) => void;
  /** What must not be missed. */
  readonly warn: (line: string) => void;
  /** Registers for Ctrl-C, which asks to pause, and SIGTERM, to stop; returns how to stop listening. */
  readonly onInterrupt: (listener: (asked: "pause" | "stop") => void) => () => void;
}
