/** Says why a worker's process failed, in one text for people and one outcome for the run. */

import type { FailureOutcome, ProcessEnd, ProviderFailure, Usage } from "./contract.ts";
import type { Conversation } from "./conversation.ts";
import { EXCERPT_BYTES, excerptText } from "./worker-output.ts";

/** An ended process that did not succeed, and what it left behind. */
export interface FailedProcess {
  /** Subject of the message, such as `codex agent` or `workflow provider "x"`. */
  readonly who: string;
  readonly end: ProcessEnd;
  readonly timeoutSeconds: number;
  /** Bounded text of its stderr. */
  readonly stderr: string;
  /** What the provider itself gave as the reason, where it has a way to do so. */
  readonly reason?: string | undefined;
  /** Lines of its output to look for a reason in, stdout first. */
  readonly lines: readonly string[];
  readonly output?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly notes?: readonly string[];
}

const DIAGNOSTIC = /usage limit|rate limit|quota|error:|not authorized|unauthorized|try again/i;

const QUOTA =
  /usage limit|(?<!disk )quota|(?<!rate )limit reached|hit your .{0,40}limit|credit balance is too low|billing hard limit/i;
const REFUSAL = /usage polic(y|ies)|content[ _](policy|filter)/i;
const PERMISSION =
  /not authorized|unauthorized|authentication[ _]error|failed to authenticate|invalid api key|not logged in/i;
const TRANSIENT =
  /rate limit|too many requests|overloaded|try again|stream disconnected|\b(429|503|529)\b/i;

/** Signals that end a process from outside; a crash of its own is a plain failure. */
const KILL_SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  9: "SIGKILL",
  15: "SIGTERM",
};

/** Whether the process came to its own good end. */
export function endedWell(end: ProcessEnd): boolean {
  return end.exitCode === 0 && !wasStopped(end);
}

/** Whether we ended the process, so that what it says last may be half a sentence. */
export function wasStopped(end: ProcessEnd): boolean {
  return end.timedOut || end.outputLimited || end.cancelled;
}

/**
 * Whether a process that was to go on with a conversation ended without one, of its own accord.
 * @param began whether it said that a conversation is under way.
 */
export function lostSession(
  conversation: Conversation | undefined,
  end: ProcessEnd,
  began: boolean,
): { readonly lostSession?: true } {
  const failed = !endedWell(end) && !wasStopped(end) && !wasKilled(end.exitCode);
  return conversation !== undefined && !began && failed ? { lostSession: true } : {};
}

/** The failure of a process that did not end well. */
export function processFailure(failed: FailedProcess): ProviderFailure {
  const { who, end, timeoutSeconds } = failed;
  const exit = exitText(end.exitCode);
  const base =
    failed.stderr.trim() === ""
      ? `${who} failed: ${exit} (no stderr output captured)`
      : `${who} failed: ${exit}: ${failed.stderr.trim()}`;
  const diagnostics = failed.lines.filter((line) => DIAGNOSTIC.test(line));
  const reason = firstLine(failed.reason) ?? diagnostics[0]?.trim();
  const text = reason === undefined ? base : `${excerptText(reason, EXCERPT_BYTES)}: ${base}`;
  const rest = leftovers(failed);
  if (end.timedOut) {
    return { ok: false, outcome: "timeout", message: timeoutText(timeoutSeconds, text), ...rest };
  }
  if (end.cancelled) {
    return {
      ok: false,
      outcome: "cancelled",
      message: `workflow agent interrupted: ${text}`,
      ...rest,
    };
  }
  if (end.outputLimited) {
    const message = `workflow agent wrote more than its output limit: ${text}`;
    return { ok: false, outcome: "failed", code: "output_limit", message, ...rest };
  }
  const cause = classifyText([failed.reason ?? "", ...diagnostics].join("\n"));
  if (cause.outcome === "failed" && wasKilled(end.exitCode)) {
    return { ok: false, outcome: "killed", message: text, ...rest };
  }
  return { ok: false, ...cause, message: text, ...rest };
}

/** What a provider's own words mean for the run; `transient` marks throttling that passes. */
export function classifyText(text: string): {
  readonly outcome: FailureOutcome;
  readonly transient?: true;
} {
  if (QUOTA.test(text)) return { outcome: "quota" };
  if (REFUSAL.test(text)) return { outcome: "refused" };
  if (PERMISSION.test(text)) return { outcome: "permission_denied" };
  if (TRANSIENT.test(text)) return { outcome: "failed", transient: true };
  return { outcome: "failed" };
}

/** @param seconds the limit the call had. */
export function timeoutText(seconds: number, base: string): string {
  return `workflow agent timed out after ${seconds}s: ${base}`;
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split("\n", 1)[0] || undefined;
}

function exitText(exitCode: number | null): string {
  if (exitCode === null) return "no exit status";
  const signal = KILL_SIGNALS[exitCode - 128];
  return signal === undefined ? `exit status ${exitCode}` : `exit status ${exitCode} (${signal})`;
}

function wasKilled(exitCode: number | null): boolean {
  return exitCode === null || exitCode - 128 in KILL_SIGNALS;
}

function leftovers({ output, usage, notes }: FailedProcess) {
  return {
    ...(output === undefined || output === "" ? {} : { output }),
    ...(usage === undefined ? {} : { usage }),
    ...(notes === undefined || notes.length === 0 ? {} : { notes }),
  };
}
