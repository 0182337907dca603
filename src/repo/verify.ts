/** Verifies what changed: plans, runs the commands of a tier, and puts each on record. */
import { PalliumError } from "../lib/errors.ts";
import type { OpenRepository } from "./open-repository.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import { openRecords } from "./records/open.ts";
import type { ReportContext } from "./reports/context.ts";
import { reviewBase } from "./reports/review-base.ts";
import { diffFiles, mergeChanges } from "./reports/review-diff.ts";
import { display } from "./verification/display.ts";
import { isDocumentation } from "./verification/documentation.ts";
import { commandsOfTier } from "./verification/plan.ts";
import {
  type NewVerificationRun,
  recordRun,
  type VerificationRun,
} from "./verification/records.ts";
import { type CommandResult, runPlan } from "./verification/run.ts";
import type { PlannedCommand, Tier } from "./verification/types.ts";

export interface VerifyInput {
  readonly tier: Tier;
  /** Revision that the change is measured from; the contract's default without. */
  readonly base?: string;
  /** Runs on after a command that failed. */
  readonly keepGoing: boolean;
  /** Seconds that each command may take; no limit without. */
  readonly timeoutSeconds?: number;
  /** A shell command to run in place of the plan. */
  readonly command?: string;
  /** Whether only to say what would run. */
  readonly dryRun: boolean;
}

/** How one command of the tier went. */
export interface VerifyResult {
  readonly command: string;
  readonly reason: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly timed_out: boolean;
  readonly interrupted: boolean;
  /** The end of what it printed. */
  readonly output: string;
  /** What its output says failed, for formats that are known. */
  readonly failures: CommandResult["failures"];
}

export interface VerifyReport {
  readonly tier: Tier;
  /** The command that decided: the first that failed, or else the last. */
  readonly command: string;
  /** 0 when all that ran succeeded; else that of `command`. */
  readonly exit_code: number;
  /** Of all commands together. */
  readonly duration_ms: number;
  /** What the plan was made for. */
  readonly changed_files: readonly string[];
  /** The end of what `command` printed. */
  readonly output: string;
  /** The record of `command`; absent when nothing was run. */
  readonly run?: VerificationRun;
  /** Every command that was run, in order. */
  readonly results: readonly VerifyResult[];
  /** Commands of the tier that were not run, since one before them failed. */
  readonly not_run: readonly string[];
}

const MOST_TESTS_PER_FILE = 4;

/**
 * @param signal its abort ends the command that runs, which is put on record as interrupted.
 * @throws PalliumError `no_verification_command`, `base_unknown`, `bad_ref`, `interrupted`.
 */
export async function verify(
  powers: RepoPowers,
  observer: RepoObserver,
  open: OpenRepository,
  context: ReportContext,
  input: VerifyInput,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const changed = await changedFiles(powers, open, input.base);
  const commands = plannedCommands(context, changed, input);
  if (input.dryRun) return dryReport(input.tier, changed, commands);
  using records = await openRecords(open.repository, {
    clock: powers.clock,
    notice: observer.notice,
  });
  const runs: VerificationRun[] = [];
  const results = await runPlan(commands, powers, {
    root: open.repository.root,
    keepGoing: input.keepGoing,
    signal,
    ...(input.timeoutSeconds === undefined ? {} : { timeoutMs: input.timeoutSeconds * 1000 }),
    onStart: (command) => observer.notice(`$ ${display(command)}`),
    onOutput: (text) => observer.detail(text.replace(/\n$/, "")),
    onResult: async (result) => {
      const run = newRun(powers, open, context, input.tier, changed, result);
      runs.push({ id: await recordRun(records, run), ...run });
    },
  });
  return report(input.tier, changed, commands, results, runs);
}

async function changedFiles(
  { git }: RepoPowers,
  { repository, working }: OpenRepository,
  ref: string | undefined,
): Promise<readonly string[]> {
  const base = await reviewBase(git, repository.root, working.head, ref);
  const committed =
    base.commit === undefined || working.head === undefined
      ? []
      : await diffFiles(git, repository.root, base.commit, working.head);
  return mergeChanges(committed, working.changes).map(({ path }) => path);
}

function plannedCommands(
  context: ReportContext,
  changed: readonly string[],
  { tier, command }: VerifyInput,
): readonly PlannedCommand[] {
  if (command !== undefined) {
    return [{ argv: ["sh", "-c", command], cwd: "", reason: "you named it", ecosystem: "own" }];
  }
  const ranked = [...changed].sort((a, b) => context.factsOf(b).score - context.factsOf(a).score);
  const tests = ranked
    .filter((path) => !isDocumentation(path))
    .flatMap((path) =>
      context
        .factsOf(path)
        .tests.slice(0, MOST_TESTS_PER_FILE)
        .map((test) => test.path),
    );
  return commandsOfTier(context.plan(ranked, [...new Set(tests)]), tier);
}

function newRun(
  { clock }: RepoPowers,
  { repository, working }: OpenRepository,
  context: ReportContext,
  tier: Tier,
  changed: readonly string[],
  { command, ...result }: CommandResult,
): NewVerificationRun {
  const { head, tree } = context.verification.state;
  return {
    tier,
    command: display(command),
    argv: command.argv,
    cwd: repository.root,
    exit_code: result.exit_code,
    duration_ms: result.duration_ms,
    changed_files: changed,
    ran_at: clock.iso(),
    head: head ?? null,
    tree_hash: tree ?? null,
    dirty: working.changes.length > 0,
    branch: working.branch,
    worktree: repository.root,
    output: result.output,
    interrupted: result.interrupted,
    timed_out: result.timed_out,
  };
}

function report(
  tier: Tier,
  changed: readonly string[],
  commands: readonly PlannedCommand[],
  results: readonly CommandResult[],
  runs: readonly VerificationRun[],
): VerifyReport {
  const failed = results.findIndex(({ exit_code }) => exit_code !== 0);
  const at = failed < 0 ? results.length - 1 : failed;
  const [decisive, run] = [results[at], runs[at]];
  if (decisive === undefined || run === undefined) {
    throw new PalliumError("interrupted", "interrupted before a command ran", {
      exitCode: 130,
      hints: ["run it again: pallium verify"],
    });
  }
  return {
    tier,
    command: display(decisive.command),
    exit_code: decisive.exit_code,
    duration_ms: results.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    changed_files: changed,
    output: decisive.output,
    run,
    results: results.map(({ command, ...result }) => ({
      command: display(command),
      reason: command.reason,
      ...result,
    })),
    not_run: commands.slice(results.length).map(display),
  };
}

function dryReport(
  tier: Tier,
  changed: readonly string[],
  commands: readonly PlannedCommand[],
): VerifyReport {
  return {
    tier,
    command: commands.map(display).join(" && "),
    exit_code: 0,
    duration_ms: 0,
    changed_files: changed,
    output: "",
    results: [],
    not_run: commands.map(display),
  };
}
