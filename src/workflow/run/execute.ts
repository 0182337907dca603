/**
 * One execution of a run whose lease we hold: the script in its worker, and its calls.
 */
import { errorData, messageOf, PalliumError } from "../../lib/errors.ts";
import { type Json, prettyJson } from "../../lib/json.ts";
import type { Execution } from "../calls/execution.ts";
import { perform } from "../calls/perform.ts";
import { prepareCall } from "../calls/primitives.ts";
import type { CallMessage, DropMessage } from "../engine/protocol.ts";
import { runScript, type ScriptLimits, type ScriptOutcome } from "../engine/script-host.ts";
import type { PreparedScript } from "../script/prepare.ts";
import { QUOTA_PAUSE, type QuotaPause } from "./breaker.ts";
import type { ControlAction } from "./control.ts";
import { overTime } from "./duration.ts";
import type { RunEnd } from "./journal.ts";

export interface ExecuteOptions {
  readonly execution: Execution;
  readonly script: PreparedScript;
  readonly workerEntry: string | URL;
  readonly limits: ScriptLimits;
  /** Ends the calls at work, when nobody is left to take their values. */
  readonly cancelCalls: (reason: unknown) => void;
  /** What ended the run from outside, once its signal is aborted. */
  readonly interruption: () => ControlAction | undefined;
  /** Aborted when the run can be written down no more. */
  readonly abandoned: AbortSignal;
}

/** Runs the script and returns how the run ended; the caller writes it down. */
export async function execute(options: ExecuteOptions): Promise<RunEnd> {
  const { execution } = options;
  const calls = new Set<Promise<unknown>>();
  const failedCalls = new Set<number>();
  const track = <T>(work: Promise<T>, onFailure: (error: unknown) => void): Promise<T> => {
    calls.add(work);
    work.catch(onFailure).finally(() => calls.delete(work));
    return work;
  };
  /** For the journal's notices, which no call waits for: the journal itself reports its failures. */
  const unawaited = (write: Promise<void>) => void track(write, () => {});

  const outcome = await runScript({
    entry: options.workerEntry,
    start: {
      type: "start",
      program: options.script.program,
      fileName: options.script.fileName,
      args: execution.args,
      budget: execution.budget.view(),
    },
    limits: options.limits,
    signal: AbortSignal.any([execution.signal, execution.breaker.signal, options.abandoned]),
    budget: () => execution.budget.view(),
    sparedBytes: execution.repo.memoryBytes,
    handlers: {
      call: (message: CallMessage) =>
        track(carryOut(execution, message), (error) => {
          if (isFatal(error)) return;
          failedCalls.add(message.id);
          if (execution.recordedErrors.has(error as object)) return;
          const { primitive: label, phase } = message;
          unawaited(execution.journal.dropped({ label, phase, error: messageOf(error) }));
        }),
      drop: ({ label, phase, error }: DropMessage) => {
        if (error.call !== undefined && failedCalls.has(error.call)) return;
        unawaited(
          execution.journal.dropped({ label, phase, error: spoken(error.message, "item") }),
        );
      },
      phase: (name, active) => {
        if (active) execution.notice(`phase ${name}`);
        unawaited(execution.journal.phase(name, active));
      },
      log: execution.notice,
    },
  });
  execution.admission.open = false;
  if (isForcedEnd(outcome)) options.cancelCalls(new Error(`script ${outcome.kind}`));
  else if (outcome.kind !== "aborted") reportAbandoned(execution, outcome);
  if (options.abandoned.aborted) {
    execution.warn("the run can be written down no more; calls at work finish first");
  }
  if (outcome.kind === "returned") for (const note of outcome.notes) execution.notice(note);
  await Promise.allSettled(calls);
  const late = overTime(execution.signal);
  if (late !== undefined && options.interruption() === undefined) return runnerFailure(late);
  return runEnd(outcome, options, execution.breaker.pause());
}

async function carryOut(execution: Execution, message: CallMessage): Promise<Json> {
  const { site, plan, value } = await prepareCall(execution, message);
  return value(await perform(execution, site, plan));
}

function isFatal(error: unknown): boolean {
  return error instanceof PalliumError && error.fatal;
}

function isForcedEnd({ kind }: ScriptOutcome): boolean {
  return kind === "stalled" || kind === "memory" || kind === "violation" || kind === "crashed";
}

/** Calls that a script did not wait for: those at work are paid for and finish, the others never start. */
function reportAbandoned(execution: Execution, { abandoned }: ScriptOutcome): void {
  if (abandoned.length === 0) return;
  const what = abandoned.length === 1 ? "1 call was" : `${abandoned.length} calls were`;
  execution.notice(`the script ended while ${what} still open; calls at work finish first`);
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

/** The message of a script's error, with where in the script it was. */
export function positioned(error: { message: string; line?: number; column?: number }): string {
  const message = spoken(error.message, "run");
  return error.line === undefined
    ? message
    : `${message} (line ${error.line}, column ${error.column ?? 1})`;
}

/** Scripts can throw what has no text; a failure never goes on record without one. */
function spoken(message: string, what: string): string {
  return message.trim() === "" ? `${what} failed with no error message captured` : message;
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
