/**
 * One execution of a run whose lease we hold: the script in its worker, and its calls.
 */
import { errorData, messageOf } from "../../lib/errors.ts";
import { type Json, prettyJson } from "../../lib/json.ts";
import type { Execution } from "../calls/execution.ts";
import type { ScriptLimits, ScriptOutcome } from "../engine/script-host.ts";
import type { PreparedScript } from "../script/prepare.ts";
import { QUOTA_PAUSE, type QuotaPause } from "./breaker.ts";
import type { ControlAction } from "./control.ts";
import { overTime } from "./duration.ts";
import type { RunEnd } from "./journal.ts";
import type { NestedSources } from "./nested-sources.ts";
import { positioned } from "./script-errors.ts";
import { runScripts } from "./scripts.ts";

export interface ExecuteOptions {
  readonly execution: Execution;
  readonly script: PreparedScript;
  readonly workerEntry: string | URL;
  readonly limits: ScriptLimits;
  /** The saved workflows that the script may call. */
  readonly sources: NestedSources;
  /** Ends the calls at work, when nobody is left to take their values. */
  readonly cancelCalls: (reason: unknown) => void;
  /** What ended the run from outside, once its signal is aborted. */
  readonly interruption: () => ControlAction | undefined;
  /** Aborted when the run can be written down no more. */
  readonly abandoned: AbortSignal;
}

/** Runs the script and returns how the run ended; the caller writes it down. */
export async function execute(options: ExecuteOptions): Promise<RunEnd> {
  const { execution, abandoned } = options;
  const outcome = await runScripts(execution, options.script, {
    ...options,
    signal: AbortSignal.any([execution.signal, execution.breaker.signal, abandoned]),
    onEnd: () => {
      if (!abandoned.aborted) return;
      execution.warn("the run can be written down no more; calls at work finish first");
    },
  });
  const late = overTime(execution.signal);
  if (late !== undefined && options.interruption() === undefined) return runnerFailure(late);
  return runEnd(outcome, options, execution.breaker.pause());
}

/** `completed_with_failures` is decided by the caller, who knows the calls. */
function runEnd(
  outcome: ScriptOutcome,
  { interruption: interrupted, limits }: ExecuteOptions,
  quota: QuotaPause | undefined,
): RunEnd {
  const interruption = interrupted();
  if (interruption !== undefined) {
    const status = interruption === "pause" ? "paused" : "stopped";
    return { status, error: `workflow ${status}`, errorCode: `workflow_${status}` };
  }
  switch (outcome.kind) {
    case "returned":
      return { status: "completed", result: resultText(outcome.value) };
    case "failed":
      return {
        status: "failed",
        error: positioned(outcome.error),
        errorCode: outcome.error.code || "script_failed",
      };
    case "stalled":
      return failed(
        "script_stalled",
        `script stalled: it did not answer for longer than ${limits.stallMs / 1000} s`,
      );
    case "memory":
      return failed(
        "script_memory",
        `script exceeded memory limit: ${limits.memoryBytes / 1024 / 1024} MiB`,
      );
    case "violation":
      return failed("protocol_violation", outcome.message);
    case "crashed":
      return failed("worker_crashed", `script worker ended unexpectedly: ${outcome.message}`);
    case "aborted":
      if (quota !== undefined) return quotaEnd(quota);
      return failed("internal_error", "the script was ended without a reason");
  }
}

function quotaEnd({ message, resumeAfter }: QuotaPause): RunEnd {
  return {
    status: "paused",
    error: message,
    errorCode: QUOTA_PAUSE,
    ...(resumeAfter === undefined ? {} : { resumeAfter: resumeAfter.toISOString() }),
  };
}

function failed(errorCode: string, error: string): RunEnd {
  return { status: "failed", error, errorCode };
}

/** Text as is, nothing as empty, data as JSON with sorted keys. */
export function resultText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : prettyJson(value);
}

/** How a run ends when the runner itself failed: the store, the lease, a defect. */
export function runnerFailure(error: unknown): RunEnd {
  const { code } = errorData(error);
  return { status: "failed", error: messageOf(error), errorCode: code };
}
