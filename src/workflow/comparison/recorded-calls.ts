/** The calls of a run as a comparison sees them. Texts stay in the store, named by their hashes. */
import { relative } from "node:path";
import { toDollars } from "../../lib/money.ts";
import { optional } from "../../lib/optional.ts";
import type { Reader } from "../../platform/sqlite/database.ts";
import type { CallOutcome } from "../../providers/contract.ts";
import type { LikenedCall } from "../run/call-likeness.ts";
import type { CallIdentity } from "../run/identity.ts";
import type { AgentStatus } from "../run/types.ts";

/** How a call was asked for and went, in one of the runs. */
export interface CallSide {
  readonly id: string;
  /** Order in which calls started, from 1. */
  readonly call_index: number;
  readonly provider: string;
  readonly model?: string;
  readonly mode: string;
  readonly status: AgentStatus;
  readonly outcome?: CallOutcome;
  readonly error?: string;
  /** From its start to its end; absent of one without an end. */
  readonly duration_ms?: number;
  /** US dollars, reported or estimated. */
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly attempts: number;
}

export const OPTIONS = [
  "label",
  "phase",
  "provider",
  "model",
  "mode",
  "isolation",
  "repo",
  "schema",
  "network",
] as const;
export type CallOption = (typeof OPTIONS)[number];

export interface RecordedCall extends LikenedCall {
  readonly scope: string;
  readonly side: CallSide;
  /** Equal texts are equal options. */
  readonly options: Readonly<Record<CallOption, string>>;
  /** Hash of the answer; empty without one. */
  readonly output: string;
}

interface CallRow {
  readonly id: string;
  readonly call_index: number;
  readonly call_key: string;
  readonly primitive: string;
  readonly phase: string;
  readonly label: string;
  readonly prompt_artifact: string;
  readonly provider: string;
  readonly repo: string;
  readonly mode: string;
  readonly isolation: string;
  readonly model: string;
  readonly schema_hash: string;
  readonly networked: number;
  readonly cost_micros: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly attempts: number;
  readonly status: AgentStatus;
  readonly outcome: CallOutcome | null;
  readonly output_artifact: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
}

/**
 * The latest attempt at every call, what scripts ask of the repository among them, in the order of
 * their starts.
 * @param cwd directory of the run: paths below it are compared from there on.
 */
export function readRecordedCalls(
  reader: Reader,
  runId: string,
  cwd: string,
): readonly RecordedCall[] {
  return reader
    .all<CallRow>(
      `SELECT id, call_index, call_key, primitive, phase, label, prompt_artifact, provider, repo,
         mode, isolation, model, schema_hash, networked, cost_micros, input_tokens, output_tokens,
         attempts, status, outcome, output_artifact, error, created_at, completed_at
       FROM workflow_calls WHERE run_id = ? AND superseded = 0 ORDER BY call_index`,
      runId,
    )
    .map((row) => recordedCall(row, cwd));
}

function recordedCall(row: CallRow, cwd: string): RecordedCall {
  const identity = identityOf(row.call_key);
  const { label, primitive, prompt_artifact: prompt } = row;
  return {
    scope: identity.scope,
    identity,
    traits: { label, primitive, prompt },
    side: callSide(row),
    options: {
      label,
      phase: row.phase,
      provider: row.provider,
      model: row.model,
      mode: row.mode,
      isolation: row.isolation,
      repo: row.repo === "" ? "" : relative(cwd, row.repo),
      schema: row.schema_hash,
      network: String(row.networked),
    },
    output: row.output_artifact ?? "",
  };
}

/** A key that is none of ours, as calls of the Go program have them, is all there is. */
function identityOf(key: string): CallIdentity {
  const [, scope, fingerprint, occurrence] = /^(.*):([0-9a-f]{64}):(\d+)$/s.exec(key) ?? [];
  if (scope === undefined || fingerprint === undefined) {
    return { scope: "", fingerprint: key, occurrence: 0 };
  }
  return { scope, fingerprint, occurrence: Number(occurrence) };
}

function callSide(row: CallRow): CallSide {
  return {
    id: row.id,
    call_index: row.call_index,
    provider: row.provider,
    ...optional({ model: row.model || undefined }),
    mode: row.mode,
    status: row.status,
    ...optional({
      outcome: row.outcome ?? undefined,
      error: row.error || undefined,
      duration_ms: durationMs(row.created_at, row.completed_at),
    }),
    cost_usd: toDollars(row.cost_micros),
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    attempts: row.attempts,
  };
}

/** Milliseconds between two times of the store; `undefined` without an end. */
export function durationMs(start: string, end: string | null): number | undefined {
  return end === null ? undefined : Math.max(0, Date.parse(end) - Date.parse(start));
}
