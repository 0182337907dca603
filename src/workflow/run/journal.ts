/**
 * The journal of one run, seen by everything that runs calls: small, asynchronous, and silent about
 * the store behind it. Each method resolves once what it wrote is durable. Every write is fenced:
 * after the lease went to somebody else it rejects with `lease_lost`.
 */

import type { CallOutcome } from "../../providers/contract.ts";
import type { ConversationName } from "../../providers/conversation.ts";
import type { EditBase, MergedEdit, StagedEdits } from "../edits/repo-edits.ts";
import type { CallIdentity } from "./identity.ts";
import type { KeptEdit } from "./replay.ts";
import type {
  AgentStatus,
  CostSource,
  EditReceipt,
  GateRequest,
  GateVerdict,
  RunFailure,
  RunStatus,
} from "./types.ts";

/** Written before the process of a call is spawned. */
export interface StartedCall {
  readonly callId: string;
  readonly identity: CallIdentity;
  readonly primitive: string;
  readonly phase: string;
  readonly label: string;
  readonly prompt: string;
  readonly provider: string;
  /** As the script asked for it; empty for the default. */
  readonly requestedProvider: string;
  readonly repo: string;
  readonly mode: string;
  readonly model: string;
  readonly schemaHash: string;
  readonly argsHash: string;
  readonly isolation: string;
  readonly networked: boolean;
  readonly costMicros: number;
  /** Of a call that decides a gate. */
  readonly gate?: GateRequest;
}

/** Written when a call ended, before its value is released to the script. */
export interface CallEnd {
  readonly callId: string;
  readonly identity: CallIdentity;
  readonly status: AgentStatus;
  readonly outcome: CallOutcome;
  readonly output?: string;
  readonly error?: string;
  readonly usage?: string;
  readonly costMicros: number;
  /** Absent where nothing was charged. */
  readonly costSource?: CostSource;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** How often the provider was asked. */
  readonly attempts: number;
  /** The entry of the run's failure list, for outcomes other than `ok`. */
  readonly failure?: RunFailure;
  /** Of a call that decided a gate. */
  readonly gate?: GateVerdict;
  /** Calls whose edits the worker saw. */
  readonly seen?: readonly string[];
  /** Absolute path of the working tree it was in. */
  readonly worktree?: string;
  readonly receipt?: EditReceipt;
  readonly kept?: KeptEdit;
  readonly session?: string;
  /** Conversations of attempts that failed, in order. */
  readonly otherSessions?: readonly ConversationName[];
  /** Of an edit that was merged with the others. */
  readonly merged?: MergedEdit & StagedEdits;
}

/** Written before a saved workflow begins inside the run. */
export interface NestedStart {
  readonly scope: string;
  /** Name of the saved workflow. */
  readonly name: string;
  /** Its text, which later executions find there when the file is gone. */
  readonly script: string;
  /** Whether an earlier execution ran another text under that name. */
  readonly changed: boolean;
}

export interface RunEnd {
  readonly status: RunStatus;
  readonly result?: string;
  readonly error?: string;
  readonly errorCode?: string;
  /** UTC; when a run that is paused for a quota can go on. */
  readonly resumeAfter?: string;
}

export interface Journal {
  started(call: StartedCall): Promise<void>;
  settled(end: CallEnd): Promise<void>;
  /** A call that an earlier execution started was taken over: its process finished or goes on. */
  adopted(callId: string, phase: string): Promise<void>;
  /** A call took its value from an earlier execution. */
  replayed(callId: string, phase: string): Promise<void>;
  /** An item was dropped by the script itself, without a failed call. */
  dropped(failure: RunFailure): Promise<void>;
  /** The run makes its first edit in a repository. */
  editsBegun(base: EditBase): Promise<void>;
  /** Edits of earlier executions count in this one: all that is staged by now. */
  editsStaged(staged: StagedEdits): Promise<void>;
  nested(start: NestedStart): Promise<void>;
  phase(name: string, active: boolean): Promise<void>;
  running(): Promise<void>;
  ended(end: RunEnd): Promise<void>;
  heartbeat(): Promise<void>;
}
