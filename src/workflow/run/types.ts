/** The records of a run as users see them in JSON. Absent fields were empty. */
import type { CallOutcome } from "../../providers/contract.ts";
import type { SecretFinding } from "../../secrets/finding.ts";

export const RUN_STATUSES = [
  "queued",
  "running",
  "paused",
  "stopped",
  "completed",
  "completed_with_failures",
  "failed",
  "interrupted",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Statuses after which nothing of the run goes on and no resume is awaited. */
export const FINAL_STATUSES: readonly RunStatus[] = [
  "completed",
  "completed_with_failures",
  "failed",
  "stopped",
];

/** Statuses of a run that is being executed, or is about to be. */
export const OPEN_STATUSES: readonly RunStatus[] = ["queued", "running"];

export const AGENT_STATUSES = [
  "running",
  "completed",
  "failed",
  "stopped",
  "paused",
  "interrupted",
] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** Kinds of records in the journal. */
export const EVENT_TYPES = [
  "run",
  "phase",
  "started",
  "settled",
  "adopted",
  "replayed",
  "dropped",
  "edits",
  "nested",
  "reopened",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Where a call's cost comes from: its provider, a table of prices per token, or the flat estimate. */
export const COST_SOURCES = ["reported", "priced", "estimated"] as const;
export type CostSource = (typeof COST_SOURCES)[number];

/** `go`: copied from a database of the Go program; `imported`: read from a file. */
export const RUN_ORIGINS = ["go", "imported"] as const;
export type RunOrigin = (typeof RUN_ORIGINS)[number];

export interface RunFailure {
  readonly label?: string;
  readonly phase?: string;
  readonly error: string;
}

export interface RunRecord {
  readonly id: string;
  readonly task: string;
  readonly cwd: string;
  readonly script_path: string;
  readonly args_json?: string;
  readonly max_agents?: number;
  /** Decimal US dollars as the user wrote them. */
  readonly max_budget_usd?: string;
  /** Input and output tokens over the life of the run; 0 allows none. */
  readonly max_tokens?: number;
  readonly agent_timeout_seconds?: number;
  readonly agent_timeout_explicit?: boolean;
  readonly max_concurrent_agents?: number;
  readonly allow_network?: boolean;
  /** Edits begin from what the user has not committed. */
  readonly include_dirty?: boolean;
  /** Folders of the checkout that working trees get a link to, such as `node_modules`. */
  readonly links?: string;
  /** Folder that what agents answer is recorded in. */
  readonly record?: string;
  /** Folder of recordings that answer in the place of agents. */
  readonly replay?: string;
  readonly strict?: boolean;
  readonly status: RunStatus;
  readonly result?: string;
  readonly error?: string;
  readonly error_code?: string;
  /** When the quota comes back for which the run is paused. */
  readonly resume_after?: string;
  readonly failures?: readonly RunFailure[];
  readonly script_hash?: string;
  readonly script_changed?: boolean;
  readonly loop_name?: string;
  /** Of a run in the background: what its process is called. */
  readonly owned_session_id?: string;
  readonly owner_pid?: number;
  readonly heartbeat_at?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at?: string;
  /** When `workflow gc` gave up the files of the run. */
  readonly collected_at?: string;
  /** Where it comes from, if it was not made here: copied from the Go program, or imported. */
  readonly origin?: RunOrigin;
}

export interface PhaseRecord {
  readonly id: string;
  readonly run_id: string;
  readonly name: string;
  readonly status: "running" | "completed";
  readonly agent_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at?: string;
}

export interface EditedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
}

/** What is known of the work of one edit agent, and that it happened away from the checkout. */
export interface EditReceipt {
  /** Absolute top of the checkout that the edit is meant for. */
  readonly root: string;
  readonly base_commit: string;
  /** Trees of git, byte for byte: what the worker began with, and what it left. */
  readonly from_tree: string;
  readonly to_tree: string;
  /** Absolute path of its working tree, which is gone by now. */
  readonly worktree?: string;
  readonly patch: string;
  readonly patch_sha256: string;
  readonly files: readonly EditedFile[];
  /** Paths that no patch can hold. */
  readonly skipped: readonly string[];
  readonly secrets: readonly SecretFinding[];
  /** Calls whose edits the worker saw. */
  readonly seen: readonly string[];
  /** Tracked files of the checkout that changed while the worker was at work; should be none. */
  readonly checkout_changed?: readonly string[];
  /** Paths that others changed too, in ways that do not go together. */
  readonly conflicts?: readonly string[];
}

/** Whether the edit of a call is in the user's checkout. */
export const APPLY_STATES = ["staged", "applied", "reverted", "conflict"] as const;
export type ApplyState = (typeof APPLY_STATES)[number];

/** One recorded call: an agent, or a native check (provider `native`). */
export interface AgentRecord {
  readonly id: string;
  readonly run_id: string;
  /** Order in which calls started, from 1. */
  readonly call_index: number;
  readonly phase?: string;
  readonly label?: string;
  readonly prompt: string;
  readonly provider: string;
  readonly repo?: string;
  readonly mode: string;
  readonly isolation?: string;
  readonly model?: string;
  readonly schema_hash?: string;
  readonly script_hash?: string;
  readonly args_hash?: string;
  readonly estimated_cost_usd?: number;
  readonly cost_source?: CostSource;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** How often the provider was asked, where that was more than once. */
  readonly attempts?: number;
  readonly usage_json?: string;
  readonly status: AgentStatus;
  readonly outcome?: CallOutcome;
  readonly output?: string;
  readonly error?: string;
  readonly networked?: boolean;
  readonly patch_path?: string;
  readonly worktree?: string;
  readonly apply_state?: ApplyState;
  readonly receipt?: EditReceipt;
  /** The session that it had, as its provider's own program names it. */
  readonly session_id?: string;
  /** A later attempt at the same call stands for this one. */
  readonly superseded?: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at?: string;
}

export type GateStatus = "open" | "approved" | "rejected";

/** What a gate asks. */
export interface GateRequest {
  readonly name: string;
  readonly message: string;
  /** Whether a person decides it. */
  readonly manual: boolean;
}

export interface GateVerdict {
  readonly approved: boolean;
  readonly reason: string;
}

export interface GateRecord {
  readonly id: string;
  readonly run_id: string;
  readonly name: string;
  readonly message?: string;
  readonly status: GateStatus;
  readonly manual: boolean;
  /** The call that decides or decided it. */
  readonly call_id: string;
  readonly reason?: string;
  readonly opened_at: string;
  /** When it was decided, whichever way. */
  readonly approved_at?: string;
}

export interface Snapshot {
  readonly run: RunRecord;
  readonly phases: readonly PhaseRecord[];
  readonly agents: readonly AgentRecord[];
}

/** Provider names of what the runner itself carries out: no agent, no cost, no cap. */
export const NATIVE_PROVIDER = "native";
/** Of rows that stand for the work of several calls. */
export const INTERNAL_PROVIDER = "internal";

/** Of rows of calls: agents and checks, which lists and counts show. What a script asks of repository memory is none. */
export const IS_AGENT = "primitive NOT LIKE 'pallium.%'";

export function isAgent(primitive: string): boolean {
  return !primitive.startsWith("pallium.");
}
