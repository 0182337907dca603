/** What `check()` reports of a command that ran: its exit code decides, its output explains. */
import { tailOf } from "../../lib/tail.ts";
import { clip, type TestFailure } from "../../lib/test-output/failure.ts";
import { withoutColours } from "../../lib/test-output/lines.ts";
import { FAILURE_LIMIT, parseFailures } from "../../lib/test-output/parse.ts";

export interface CheckedCommand {
  readonly command: string;
  /** Exit status as a shell reports it; `null` when the command never got one. */
  readonly exitCode: number | null;
  /** The end of what the command wrote. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** It wrote more than the output limit and was ended for it. */
  readonly outputLimited: boolean;
}

export interface CheckResult {
  /** The command ended by itself with exit status 0. */
  readonly ok: boolean;
  readonly command: string;
  /** One sentence. */
  readonly summary: string;
  /** The end of the output, stdout before stderr, without colours; the whole of it where it is short. */
  readonly output_tail: string;
  /** Empty when `ok`; otherwise at least one. */
  readonly failures: readonly TestFailure[];
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly timed_out?: true;
  readonly output_limited?: true;
}

/** Most characters of `output_tail`. */
export const TAIL_LIMIT = 4096;
const SHOWN_COMMAND_LIMIT = 200;
const MESSAGE_TAIL_LIMIT = 2000;

/** The result document of one native check. */
export function checkResult(checked: CheckedCommand): CheckResult {
  const { command, exitCode, timedOut, outputLimited } = checked;
  const output = withoutColours(joined(checked.stdout, checked.stderr));
  const ok = exitCode === 0 && !timedOut && !outputLimited;
  const recognised = ok ? [] : parseFailures(output, exitCode || 1);
  const summary = summaryOf(checked, ok, recognised.length);
  return {
    ok,
    command,
    summary,
    output_tail: tailOf(output, TAIL_LIMIT),
    failures: ok || recognised.length > 0 ? recognised : [unrecognised(checked, output, summary)],
    exit_code: exitCode,
    duration_ms: Math.round(checked.durationMs),
    ...(timedOut ? { timed_out: true as const } : {}),
    ...(outputLimited ? { output_limited: true as const } : {}),
  };
}

function joined(stdout: string, stderr: string): string {
  const separator = stdout === "" || stderr === "" || stdout.endsWith("\n") ? "" : "\n";
  return stdout + separator + stderr;
}

function unrecognised({ command }: CheckedCommand, output: string, summary: string): TestFailure {
  const name = shown(command) || "command";
  return { name, message: tailOf(output.trim(), MESSAGE_TAIL_LIMIT) || summary };
}

/** The command as a sentence can hold it. */
function shown(command: string): string {
  return clip(command.trim(), SHOWN_COMMAND_LIMIT).replace(/\s+/g, " ");
}

function summaryOf(checked: CheckedCommand, ok: boolean, failures: number): string {
  const seconds = `${(checked.durationMs / 1000).toFixed(1)} s`;
  const name = shown(checked.command) || "command";
  if (ok) return `${name} passed in ${seconds}`;
  const count = failures === 0 ? "" : `: ${countOf(failures)}`;
  return `${name} ${endOf(checked, seconds)}${count}`;
}

function endOf({ exitCode, timedOut, outputLimited }: CheckedCommand, seconds: string): string {
  if (timedOut) return `timed out after ${seconds}`;
  if (outputLimited) return `was ended after ${seconds} for writing more than the output limit`;
  if (exitCode === null) return "ended without an exit code";
  return `failed with exit code ${exitCode}`;
}

function countOf(failures: number): string {
  if (failures === 1) return "1 failure";
  return failures < FAILURE_LIMIT ? `${failures} failures` : `${failures} or more failures`;
}
