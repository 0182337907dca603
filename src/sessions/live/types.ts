/** Sessions as they stand now. */
import type { Recalled } from "../reports/recalled.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";

/** One session; names are those of the Go program. */
export interface LiveSession {
  readonly provider: TranscriptProvider;
  /** `active` while a process has it. */
  readonly status: "active" | "inactive";
  /** Of the process; absent where the session is inactive. */
  readonly pid?: number;
  readonly tty?: string;
  /** How long the process has run. */
  readonly age_seconds?: number;
  /** Absent while the agent has not said which session it works in. */
  readonly thread_id?: string;
  readonly title: string;
  readonly first_user_message?: string;
  /** Where the session began. */
  readonly session_cwd?: string;
  /** Where it worked last, if elsewhere. */
  readonly effective_workdir?: string;
  readonly git_branch?: string;
  readonly git_origin_url?: string;
  /** The tool that it used last, and for what. */
  readonly recent_action?: string;
  /** UTC with milliseconds: the last record of the transcript; without one, the start of the process. */
  readonly last_active_at: string;
  readonly recalled: Recalled;
}

export interface LiveReport {
  /** UTC with milliseconds. */
  readonly generated_at: string;
  /** Name of this computer. */
  readonly host: string;
  /** The active ones first, then by what was active last. */
  readonly sessions: readonly LiveSession[];
}

export interface LiveRequest {
  /** Inactive sessions too, as far as they were written lately. */
  readonly all?: boolean;
}

/** A process of an agent's program. */
export interface AgentProcess {
  readonly provider: TranscriptProvider;
  readonly pid: number;
  readonly tty: string;
  readonly startedMs: number;
  /** Where the program keeps what is its own; absolute. */
  readonly home: string;
  /** Absolute; empty where that is not known. */
  readonly cwd: string;
  /** Transcripts that it has open. */
  readonly transcripts: readonly string[];
}

/** What the ends of a transcript say of its session. */
export interface TranscriptBrief {
  readonly provider: TranscriptProvider;
  readonly path: string;
  readonly id: string;
  /** Whether another session started it as a helper. */
  readonly isHelper: boolean;
  /** As the agent or its user named it; empty where neither did. */
  readonly title: string;
  readonly firstUserMessage: string;
  /** In it the session began. */
  readonly cwd: string;
  /** In it the session worked last. */
  readonly workdir: string;
  readonly gitBranch: string;
  readonly gitOriginUrl: string;
  readonly recentAction: string;
  /** In milliseconds since 1970; the last is when the file was written where no record has a time. */
  readonly createdMs: number;
  readonly activeMs: number;
  /** When the file was written. */
  readonly modifiedMs: number;
}
