/** What a provider of agent work is. One file beside this one implements each. */
import type { JsonObject } from "../lib/json.ts";

/** How one call ended. `ok` is the only good one. */
export const CALL_OUTCOMES = [
  "ok",
  "failed",
  "schema_failed",
  "empty",
  "refused",
  "permission_denied",
  "quota",
  "timeout",
  "killed",
  "cancelled",
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];
export type FailureOutcome = Exclude<CallOutcome, "ok">;

/** Modes whose workers run programs, which may write where they work. */
export const WORKING_MODES: readonly string[] = ["edit", "test", "check"];

/** One unit of agent work, all defaults resolved. */
export interface AgentTask {
  readonly runId: string;
  readonly agentId: string;
  /** Resolved provider name. */
  readonly provider: string;
  readonly label: string;
  readonly mode: string;
  /** Empty: the provider's own default. */
  readonly model: string;
  /** Absolute path of the repository (or folder) the agent works on. */
  readonly repo: string;
  /** Absolute working directory; differs from `repo` inside a worktree. */
  readonly cwd: string;
  /** Top of the working tree around `cwd`; `cwd` itself outside of one. */
  readonly root: string;
  readonly prompt: string;
  /** Normalised JSON Schema the answer must match. */
  readonly schema?: JsonObject;
  readonly network: boolean;
  /** How hard to think, in the provider's own words; empty for its default. */
  readonly effort: string;
  /** An earlier conversation to go on with, as its answer named it. */
  readonly session?: string;
}

/** Absolute paths inside the directory of one call. */
export interface CallFiles {
  readonly dir: string;
  readonly prompt: string;
  /** Present when the task has a schema. */
  readonly schema?: string;
  /** Where the worker may write its answer. */
  readonly output: string;
  /** Where the worker may write its usage, as JSON. */
  readonly usage: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A child process to start: never through a shell of ours, the prompt on its stdin. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to the worker's base environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What the person who watches should know about this call. */
  readonly notices?: readonly string[];
}

/** How a child process ended, as the process runner of platform reports it. */
export interface ProcessEnd {
  /** Exit status as a shell reports it (128 + n for signal n); `null` when it never got one. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Wrote more than the output limit and was ended for it. */
  readonly outputLimited: boolean;
  /** Ended because the caller's signal was aborted. */
  readonly cancelled: boolean;
}

/** Tokens and cost as a provider reported them; absent fields were not reported. */
export interface Usage {
  /** As the provider counts it: codex includes cached tokens, claude does not. */
  readonly inputTokens?: number;
  /** Tokens that came from a cache. */
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  /** Millionths of a US dollar. */
  readonly costMicros?: number;
  /** How long a provider that was busy wants to be left alone. */
  readonly retryAfterSeconds?: number;
  /** The provider's own JSON text, kept verbatim. */
  readonly raw: string;
}

export interface ProviderAnswer {
  readonly ok: true;
  readonly text: string;
  readonly usage?: Usage;
  /** Harmless oddities to report, such as a usage file that is not JSON. */
  readonly notes?: readonly string[];
  /** Names the conversation for a later task, where it can be taken up again; see `conversation.ts`. */
  readonly session?: string;
}

export interface ProviderFailure {
  readonly ok: false;
  readonly outcome: FailureOutcome;
  readonly message: string;
  /** Set where a cap of ours ended the call or refused its answer. */
  readonly code?: "output_limit";
  /** The conversation to go on with is not there; nothing was asked. */
  readonly lostSession?: true;
  /** The provider was busy or throttled: the same call may succeed later. */
  readonly transient?: true;
  /** What the worker had written, kept on the call's row. */
  readonly output?: string;
  readonly usage?: Usage;
  readonly notes?: readonly string[];
  /** The conversation that failed, where it got as far as to have a name. */
  readonly session?: string;
}

export type ProviderResult = ProviderAnswer | ProviderFailure;

/** A provider whose work is a child process. */
export interface ProcessProvider {
  readonly kind: "process";
  readonly name: string;
  /** What goes into the prompt file, and so to stdin: the task's prompt and what the provider adds. */
  promptText(task: AgentTask): string;
  invocation(task: AgentTask, files: CallFiles): Invocation;
  /** Reads what the ended process left in its files. Never throws for bad output. */
  interpret(
    task: AgentTask,
    files: CallFiles,
    end: ProcessEnd,
    timeoutSeconds: number,
  ): Promise<ProviderResult>;
}

/** A provider that answers without a process: the stub. */
export interface InlineProvider {
  readonly kind: "inline";
  readonly name: string;
  answer(task: AgentTask, signal: AbortSignal): Promise<ProviderResult>;
}

export type Provider = ProcessProvider | InlineProvider;
