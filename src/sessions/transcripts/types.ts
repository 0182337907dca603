/** What a transcript says, whichever agent wrote it. */

export type TranscriptProvider = "codex" | "claude";
export type MessageRole = "user" | "assistant" | "tool";

/** One thing that was said or done; a line of a transcript can hold several. */
export interface TranscriptMessage {
  /** In the order of the transcript, unique in it: `line` and place within the line. */
  readonly lineNo: number;
  /** UTC with milliseconds; empty where the line has none. */
  readonly timestamp: string;
  readonly role: MessageRole;
  /** `message`, `thinking`, `summary`, `tool_result`, or the name of the tool that was asked for. */
  readonly kind: string;
  readonly text: string;
  /**
   * What tells this message from any other, so that a fork's copy of it counts once; empty where the
   * format gives none.
   */
  readonly uid: string;
}

/** How an agent came near a file: by changing it, or by a tool that reads or lists it. */
export type TouchKind = "edited" | "read";

export interface FileTouch {
  readonly lineNo: number;
  readonly timestamp: string;
  /** As the agent wrote it: absolute, or relative to the session's directory. */
  readonly path: string;
  readonly kind: TouchKind;
}

/** A command line that an agent ran. */
export interface CommandRun {
  readonly lineNo: number;
  readonly timestamp: string;
  /** Of the tool call; its result names it again. */
  readonly callId: string;
  readonly command: string;
}

/** How a tool call ended. */
export interface CallResult {
  readonly lineNo: number;
  readonly timestamp: string;
  readonly callId: string;
  /** `undefined` where the format does not say. */
  readonly exitCode?: number;
  readonly failed: boolean;
  /** The beginning of what the tool said, where it failed. */
  readonly excerpt: string;
}

/** Characters of an excerpt that are read; less is kept, once the secrets in it are known by all of them. */
export const EXCERPT_READ = 4500;

/** Tokens of one answer of a model. */
export interface UsageFact {
  /** Equal in every transcript that holds a copy of the answer. */
  readonly uid: string;
  readonly tokens: number;
}

/** Everything one record of a transcript adds to its session. */
export interface RecordFacts {
  readonly messages: readonly TranscriptMessage[];
  readonly touches: readonly FileTouch[];
  readonly commands: readonly CommandRun[];
  readonly results: readonly CallResult[];
  readonly usage: readonly UsageFact[];
  /** Of a record that no reader knows; it is kept as it is. */
  readonly unknown: boolean;
}

export const NO_FACTS: RecordFacts = {
  messages: [],
  touches: [],
  commands: [],
  results: [],
  usage: [],
  unknown: false,
};

/**
 * What is known of a session from the records read so far. It is plain JSON: reading goes on from it
 * where a transcript has grown.
 */
export interface SessionHeader {
  readonly provider: TranscriptProvider;
  /** The agent's own id. */
  id: string;
  /** Of the session that started this one as a helper; empty for a session of a user's. */
  parentId: string;
  /** Of the session that this one began as a copy of. */
  forkedFrom: string;
  /** Given by the user or by the agent itself; empty where neither did. */
  title: string;
  firstUserMessage: string;
  lastAgentMessage: string;
  cwd: string;
  /** How the agent was started, in its own words: `cli`, `exec`, `sdk-cli`, … */
  source: string;
  modelProvider: string;
  model: string;
  cliVersion: string;
  gitBranch: string;
  gitOriginUrl: string;
  createdAt: string;
  updatedAt: string;
  /** `complete`, `aborted`; empty where nothing says how the session ended. */
  status: string;
  /** As the agent itself adds up, a fork's origin included; 0 where it does not say. */
  tokensUsed: number;
  /** Records by type. */
  readonly eventCounts: Record<string, number>;
}

/** Reads the records of one transcript, in order. */
export interface TranscriptReader {
  readonly header: SessionHeader;
  /** @param line number of the record in its file, from 1. */
  read(record: Record<string, unknown>, line: number): RecordFacts;
  /** Plain JSON from which a reader of the same format goes on. */
  state(): unknown;
}

export function emptyHeader(provider: TranscriptProvider, id: string): SessionHeader {
  return {
    provider,
    id,
    parentId: "",
    forkedFrom: "",
    title: "",
    firstUserMessage: "",
    lastAgentMessage: "",
    cwd: "",
    source: "",
    modelProvider: "",
    model: "",
    cliVersion: "",
    gitBranch: "",
    gitOriginUrl: "",
    createdAt: "",
    updatedAt: "",
    status: "",
    tokensUsed: 0,
    eventCounts: {},
  };
}
