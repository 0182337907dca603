/** Runs a planned run in this process, from the claim of its row to the release of its lease. */
import { join } from "node:path";
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { ensurePrivateDir, removeHalfWritten, writeFileDurable } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { createPatchScan } from "../../secrets/patch-scan.ts";
import { endCalls } from "../calls/child.ts";
import type { Execution } from "../calls/execution.ts";
import { endLeftCalls } from "../calls/left-calls.ts";
import { RepoLocks } from "../edits/locks/repo-locks.ts";
import { createSchemaValidator } from "../engine/schema-host.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { validateScript } from "../script/validate.ts";
import { type ClaimedRun, claimRun } from "./claim.ts";
import { createExecution, createRepoCalls } from "./create-execution.ts";
import { createDecisionLog } from "./decisions.ts";
import { limitDuration } from "./duration.ts";
import { failureCount, openRunEdits, withEdits } from "./edits-of-run.ts";
import { execute, runnerFailure } from "./execute.ts";
import { createGateDecisions } from "./gate-decisions.ts";
import { type Interruption, watchInterruptions } from "./interruption.ts";
import type { Journal, RunEnd } from "./journal.ts";
import { releaseLease } from "./lease.ts";
import { limitsInForce } from "./limits.ts";
import { createNestedSources } from "./nested-sources.ts";
import { gateCommands } from "./next-step.ts";
import { createNotify, type Notify } from "./notify.ts";
import type { PlannedRun } from "./request.ts";
import { noteRun } from "./run-note.ts";
import { type RunReport, runReport } from "./run-report.ts";
import { createSqliteJournal } from "./sqlite-journal.ts";
import { readOutline, requireRun } from "./store.ts";
import { IS_AGENT } from "./types.ts";

const HEARTBEAT_MS = 5000;

/** A run that is ours to execute. */
interface Ownership {
  readonly powers: WorkflowPowers;
  readonly observer: RunObserver;
  readonly database: Database;
  readonly plan: PlannedRun;
  readonly claimed: ClaimedRun;
  readonly directory: string;
  readonly scriptPath: string;
  readonly journal: Journal;
  readonly interruption: Interruption;
  readonly notify: Notify;
  /** Filled with the agents this execution started, took over or replayed. */
  readonly agentIds: Set<string>;
}

/**
 * Executes a run and returns how it ended; its row is true whatever happens.
 * @throws PalliumError before anything ran, when the run belongs to another process or cannot be
 * written, and `lease_lost` when another process took it over.
 */
export async function runWorkflow(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  plan: PlannedRun,
): Promise<RunReport> {
  const run = await takeRun(powers, observer, database, plan);
  const heartbeat = setInterval(() => {
    // A failed write is the journal's to report: it abandons the run.
    run.journal.heartbeat().catch(() => {});
  }, HEARTBEAT_MS);
  try {
    const end = await endOf(run);
    await run.journal.ended(withFailures(database, plan, end));
    await tellOfEnd(run);
    return runReport(database, plan, observer, run.interruption.bySignal(), run.agentIds);
  } finally {
    clearInterval(heartbeat);
    run.interruption.close();
    await giveBack(run);
  }
}

async function takeRun(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  plan: PlannedRun,
): Promise<Ownership> {
  const directory = join(powers.runsDirectory, plan.id);
  const scriptPath = join(directory, "workflow.js");
  const claimed = await claimRun(database, powers, plan, scriptPath);
  observer.claimed?.();
  const interruption = watchInterruptions(database, plan.id, observer);
  const journal = createSqliteJournal({
    database,
    lease: claimed.lease,
    scriptHash: plan.script.hash,
    clock: powers.clock,
    ids: powers.ids,
    onFailure: interruption.abandon,
  });
  return {
    powers,
    observer,
    database,
    plan,
    claimed,
    directory,
    scriptPath,
    journal,
    interruption,
    notify: notifyOf(powers, observer, plan, claimed),
    agentIds: new Set(),
  };
}

function notifyOf(
  { environment: { variables } }: WorkflowPowers,
  { warn }: RunObserver,
  { cwd, settings }: PlannedRun,
  { row }: ClaimedRun,
): Notify {
  const command = row.notify ?? settings.notify;
  return createNotify({ command, cwd, env: variables, warn });
}

async function tellOfEnd({ database, plan, notify }: Ownership): Promise<void> {
  const { run } = readOutline(database, requireRun(database, plan.id));
  await notify({ event: "ended", run });
}

/** How the run ended, failures of the runner included. Only a lost lease is thrown: nothing may be written after it. */
async function endOf(run: Ownership): Promise<RunEnd> {
  try {
    await ensurePrivateDir(run.directory);
    await noteRun(run.directory, run.database.path);
    await removeHalfWritten(run.directory);
    await removeHalfWritten(join(run.directory, "patches"));
    await writeFileDurable(run.scriptPath, run.plan.script.text);
    return await executeOwned(run);
  } catch (error) {
    if (error instanceof PalliumError && error.code === "lease_lost") throw error;
    return runnerFailure(error);
  }
}

async function executeOwned(run: Ownership): Promise<RunEnd> {
  const { powers, plan, claimed, interruption, journal } = run;
  const validator = createSchemaValidator(powers.schemaWorker);
  const repo = createRepoCalls(powers, plan);
  const locks = new RepoLocks(plan.id, powers.clock);
  const edits = openRunEdits(run, locks);
  const forcedEnd = new AbortController();
  const limits = limitsInForce(claimed.row.limits_json);
  const forgetDuration = limitDuration(limits.maxDurationSeconds, (reason) =>
    forcedEnd.abort(reason),
  );
  try {
    await endCalls({ runId: plan.id, directory: run.directory }, claimed.decidedCalls);
    const execution = createExecution({
      ...run,
      ...sharedWork(run),
      edits,
      scanPatch: createPatchScan(),
      scriptChanged: claimed.scriptChanged,
      row: claimed.row,
      validator,
      repo,
      limits,
      forcedEnd: forcedEnd.signal,
    });
    await journal.running();
    announce(run, execution);
    const end = await execute({
      execution,
      script: plan.script.prepared,
      workerEntry: powers.scriptWorker,
      limits: limits.script,
      sources: createNestedSources(powers, run.database, plan, execution.notice),
      interruption: interruption.action,
      abandoned: interruption.abandoned,
      cancelCalls: (reason) => forcedEnd.abort(reason),
    });
    const failure = interruption.failure();
    if (failure !== undefined) throw failure;
    if (end.status === "failed") await warnOfMistakes(execution, plan);
    await endLeftovers(execution, end);
    return await withEdits(run, execution, locks, end);
  } finally {
    forgetDuration();
    validator.close();
    repo.close();
    await edits.close();
  }
}

/** What calls share besides the journal: persons who decide gates, and decisions on record. */
function sharedWork({ powers, database, plan, claimed, interruption }: Ownership) {
  const gates = createGateDecisions({
    database,
    runId: plan.id,
    commands: (name) => gateCommands(plan, name, plan.db),
    onFailure: interruption.abandon,
  });
  interruption.abandoned.addEventListener("abort", gates.close, { once: true });
  const decisions = createDecisionLog({
    ...powers,
    database,
    lease: claimed.lease,
    cwd: plan.cwd,
    onFailure: interruption.abandon,
  });
  return { gates, decisions };
}

function announce({ powers, claimed: { scriptChanged } }: Ownership, execution: Execution): void {
  execution.detail(`look at it from elsewhere: pallium workflow status ${execution.runId}`);
  if (execution.providers.stubbed) {
    execution.warn(
      "PALLIUM_WORKFLOW_AGENT_STUB is set: the stub answers for every agent and check",
    );
  }
  if (powers.environment.variables.PALLIUM_WORKFLOW_PALLIUM_STUB) {
    execution.warn(
      "PALLIUM_WORKFLOW_PALLIUM_STUB is set: the stub answers for every call of pallium.*",
    );
  }
  if (scriptChanged) {
    execution.notice("script changed since original run; unchanged prefix will replay from cache");
  }
}

/** A misspelt name or a promise that nothing awaits may be why the script failed. */
async function warnOfMistakes(execution: Execution, { script }: PlannedRun): Promise<void> {
  const { warnings = [] } = await validateScript(script.text, script.name);
  for (const warning of warnings) execution.warn(warning);
}

/** What an earlier runner left at work and nobody took over is ended; what cannot be ended is named. */
async function endLeftovers(execution: Execution, { status }: RunEnd): Promise<void> {
  try {
    await endLeftCalls(execution, status === "completed");
  } catch (error) {
    execution.warn(messageOf(error));
  }
}

/** A lease that cannot be given back is free all the same once this process is gone. */
async function giveBack({ database, claimed, observer }: Ownership): Promise<void> {
  try {
    await database.write((tx) => releaseLease(tx, claimed.lease));
  } catch (error) {
    observer.warn(`the lease of the run was not released: ${messageOf(error)}`);
  }
}

/** A script that threw leaves a run with finished work `completed_with_failures`; so does `strict` with any failed call. */
function withFailures(database: Database, plan: PlannedRun, end: RunEnd): RunEnd {
  const count = (sql: string) => database.get<{ n: number }>(sql, plan.id)?.n ?? 0;
  if (end.status === "failed") {
    const finished = count(
      `SELECT count(*) AS n FROM workflow_calls WHERE run_id = ? AND status = 'completed' AND ${IS_AGENT}`,
    );
    return finished === 0 ? end : { ...end, status: "completed_with_failures" };
  }
  if (end.status !== "completed" || !plan.strict) return end;
  const failures = failureCount(database, plan.id);
  if (failures === 0) return end;
  return {
    ...end,
    status: "completed_with_failures",
    error: `${failures} ${failures === 1 ? "call" : "calls"} failed in a strict run`,
    errorCode: "strict_failures",
  };
}
