/** Runs the commands of a plan, each in a process group of its own. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { tailOf } from "../../lib/tail.ts";
import type { TestFailure } from "../../lib/test-output/failure.ts";
import { withoutColours } from "../../lib/test-output/lines.ts";
import { parseFailures } from "../../lib/test-output/parse.ts";
import type { Environment } from "../../platform/environment.ts";
import type { Ids } from "../../platform/ids.ts";
import { type FollowEnd, follow } from "../../platform/process/follow.ts";
import { MARKER_VARIABLE } from "../../platform/process/marker.ts";
import { verificationEnvironment } from "./environment.ts";
import { keepOutput } from "./kept-output.ts";
import type { PlannedCommand } from "./types.ts";

/** Most characters of a result's output. */
export const OUTPUT_LIMIT = 32 * 1024;
const NOT_STARTED = 126;
/** As `timeout` reports it. */
const TIMED_OUT = 124;
const INTERRUPTED = 130;

export interface VerificationPowers {
  readonly environment: Pick<Environment, "variables">;
  readonly ids: Ids;
}

export interface RunPlanOptions {
  /** Absolute root of the working tree. */
  readonly root: string;
  /** Goes on after a command that failed; not after an interruption. */
  readonly keepGoing?: boolean;
  /** Milliseconds that each command may take; without it there is no limit. */
  readonly timeoutMs?: number;
  /** Its abort ends the command at work, and no other is begun. */
  readonly signal?: AbortSignal;
  readonly onStart?: (command: PlannedCommand) => void;
  /** Gets the output of a command as it comes, as the command wrote it. */
  readonly onOutput?: (text: string, command: PlannedCommand) => void;
  /** Is waited for before the next command begins, so that a result can be recorded. */
  readonly onResult?: (result: CommandResult) => Promise<void> | void;
}

export interface CommandResult {
  readonly command: PlannedCommand;
  /**
   * That of the command, as a shell reports it: 128 + n for signal n, 127 for a missing program,
   * 126 for one that could not be started. 124 when it timed out and 130 when it was interrupted.
   */
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly timed_out: boolean;
  readonly interrupted: boolean;
  /** The end of stdout and stderr in the order written, without colours, with a mark where it was cut. */
  readonly output: string;
  /** What the output says failed; empty where no format was recognised. */
  readonly failures: readonly TestFailure[];
}

/**
 * Runs commands in order until one fails.
 * @returns a result for each that was begun.
 * @throws PalliumError `process_survived`.
 */
export async function runPlan(
  commands: readonly PlannedCommand[],
  powers: VerificationPowers,
  options: RunPlanOptions,
): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = [];
  for (const command of commands) {
    if (options.signal?.aborted) break;
    options.onStart?.(command);
    const result = await runCommand(command, powers, options);
    results.push(result);
    await options.onResult?.(result);
    if (result.interrupted || (result.exit_code !== 0 && options.keepGoing !== true)) break;
  }
  return results;
}

async function runCommand(
  command: PlannedCommand,
  powers: VerificationPowers,
  options: RunPlanOptions,
): Promise<CommandResult> {
  const kept = keepOutput();
  const decoder = new TextDecoder();
  const show = (text: string) => {
    if (text !== "") options.onOutput?.(text, command);
  };
  const take = (bytes: Uint8Array) => {
    kept.add(bytes);
    show(decoder.decode(bytes, { stream: true }));
  };
  const end = await start(command, powers, options, take);
  show(decoder.decode());
  const exitCode = exitCodeOf(end);
  const output = withoutColours(kept.text());
  return {
    command,
    exit_code: exitCode,
    duration_ms: end.durationMs,
    timed_out: end.timedOut,
    interrupted: end.interrupted,
    output: tailOf(output, OUTPUT_LIMIT, kept.lost()),
    failures: parseFailures(output, exitCode),
  };
}

async function start(
  { argv, cwd }: PlannedCommand,
  { environment, ids }: VerificationPowers,
  { root, timeoutMs, signal }: RunPlanOptions,
  onOutput: (bytes: Uint8Array) => void,
): Promise<FollowEnd> {
  const env = verificationEnvironment(environment.variables);
  try {
    return await follow(argv, {
      cwd: join(root, cwd),
      env,
      onOutput,
      // The marker of an outer call stays: its runner looks for what that call left behind.
      ...(env[MARKER_VARIABLE] === undefined ? { marker: ids.next("verify") } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!(error instanceof PalliumError) || error.code === "process_survived") throw error;
    onOutput(Buffer.from(`${error.message}\n`));
    return { exitCode: NOT_STARTED, timedOut: false, interrupted: false, durationMs: 0 };
  }
}

function exitCodeOf({ exitCode, timedOut, interrupted }: FollowEnd): number {
  if (timedOut) return TIMED_OUT;
  return interrupted ? INTERRUPTED : exitCode;
}
