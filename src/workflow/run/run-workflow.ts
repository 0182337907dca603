/** Runs a planned run in this process, from the claim of its row to the release of its lease. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import { ensurePrivateDir, writeFileDurable } from "../../platform/files.ts";
import { findExecutable } from "../../platform/process/executable.ts";
import { endRecorded } from "../../platform/process/recorded.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { createProviders } from "../../providers/resolve.ts";
import { workerEnvironment } from "../../providers/worker-environment.ts";
import { callDirectory, callMarker } from "../calls/child.ts";
import type { Execution } from "../calls/execution.ts";
import { createSchemaValidator } from "../engine/schema-host.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { agentEstimate, createBudget, parseBudget } from "./budget.ts";
import { type ClaimedRun, claimRun } from "./claim.ts";
import { execute, runnerFailure } from "./execute.ts";
import { createOccurrences } from "./identity.ts";
import { type Interruption, watchInterruptions } from "./interruption.ts";
import type { Journal, RunEnd } from "./journal.ts";
import { releaseLease } from "./lease.ts";
import { createRecorded } from "./replay.ts";
import { argsHash, type PlannedRun, workflowDepth } from "./request.ts";
import { readOpenCalls, readSettledCalls, readUsage } from "./resume-state.ts";
import { type RunReport, runReport } from "./run-report.ts";
import { createSqliteJournal } from "./sqlite-journal.ts";

const HEARTBEAT_MS = 5000;
const STALL_MS = 10_000;
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/** What a call that was cut short is left as: `none` where nobody asked for it. */
const INTERRUPTED_STATUS = { pause: "paused", stop: "stopped", none: "interrupted" } as const;

/** A run that is ours to execute. */
interface Ownership {
  readonly powers: WorkflowPowers;
  readonly observer: RunObserver;
  readonly database: Database;
  readonly plan: PlannedRun;
  readonly claimed: ClaimedRun;
  readonly directory: string;
  readonly journal: Journal;
  readonly interruption: Interruption;
}

/**
 * Executes a run and returns how it ended; its row is true whatever happens.
 * @throws PalliumError before anything ran, when the run belongs to another process or cannot be written.
 */
export async function runWorkflow(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  plan: PlannedRun,
): Promise<RunReport> {
  const directory = join(powers.runsDirectory, plan.id);
  const scriptPath = join(directory, "workflow.js");
  const claimed = await claimRun(database, powers, plan, scriptPath);
  const interruption = watchInterruptions(database, plan.id, observer);
  const journal = createSqliteJournal({
    database,
    lease: claimed.lease,
    scriptHash: plan.script.hash,
    clock: powers.clock,
    ids: powers.ids,
    onFailure: interruption.abandon,
  });
  const run = { powers, observer, database, plan, claimed, directory, journal, interruption };
  const heartbeat = setInterval(
    () => journal.heartbeat().catch(interruption.abandon),
    HEARTBEAT_MS,
  );
  try {
    await ensurePrivateDir(directory);
    await writeFileDurable(scriptPath, plan.script.text);
    const end = await executeOwned(run);
    await journal.ended(withFailures(database, plan, end));
    return runReport(database, plan, observer, interruption.bySignal());
  } finally {
    clearInterval(heartbeat);
    interruption.close();
    await database.write((tx) => releaseLease(tx, claimed.lease));
  }
}

/** What an earlier runner left at work and this execution did not take over is ended: nobody waits for it. */
async function endLeftovers({ open, runId, directory }: Execution): Promise<void> {
  for (const { callId } of open.rest()) {
    await endRecorded(callDirectory({ directory }, callId), callMarker(runId, callId));
  }
}

async function executeOwned(run: Ownership): Promise<RunEnd> {
  const { powers, observer, plan, claimed, interruption, journal } = run;
  const notice = (line: string) => observer.notice(`[workflow:${plan.id}] ${line}`);
  const validator = createSchemaValidator(powers.schemaWorker);
  const forcedEnd = new AbortController();
  const execution = createExecution(run, notice, validator, forcedEnd.signal);
  try {
    await journal.running();
    if (execution.providers.stubbed) {
      notice("PALLIUM_WORKFLOW_AGENT_STUB is set: the stub answers for every agent");
    }
    if (claimed.scriptChanged) {
      notice("script changed since original run; unchanged prefix will replay from cache");
    }
    const end = await execute({
      execution,
      script: plan.script.prepared,
      workerEntry: powers.scriptWorker,
      stallMs: STALL_MS,
      interruption: interruption.action,
      cancelCalls: (reason) => forcedEnd.abort(reason),
      onLog: notice,
    });
    const failure = interruption.failure();
    if (failure !== undefined) throw failure;
    return end;
  } catch (error) {
    if (error instanceof PalliumError && error.code === "lease_lost") throw error;
    return runnerFailure(error);
  } finally {
    validator.close();
    await endLeftovers(execution);
  }
}

function createExecution(
  { powers, database, plan, claimed, directory, journal, interruption }: Ownership,
  notice: (line: string) => void,
  validator: Execution["validator"],
  forcedEnd: AbortSignal,
): Execution {
  const { row } = claimed;
  const { variables } = powers.environment;
  const usage = readUsage(database, plan.id);
  return {
    runId: plan.id,
    cwd: plan.cwd,
    directory,
    args: plan.args,
    argsHash: argsHash(plan.args),
    allowNetwork: row.allow_network === 1,
    timeoutSeconds: row.agent_timeout_seconds,
    maxAgents: row.max_agents,
    journal,
    settled: createRecorded(readSettledCalls(database, plan.id)),
    open: createRecorded(readOpenCalls(database, plan.id)),
    clock: powers.clock,
    budget: createBudget(
      parseBudget(row.max_budget_usd ?? undefined),
      usage.spentMicros,
      agentEstimate(variables),
    ),
    slots: createSemaphore(row.max_concurrent_agents),
    occurrence: createOccurrences(),
    ids: powers.ids,
    providers: createProviders({
      variables,
      codexBinary: row.codex_binary,
      findExecutable: (program) => findExecutable(program, variables.PATH ?? "", plan.cwd),
    }),
    validator,
    workerEnvironment: workerEnvironment(variables, {
      depth: workflowDepth(variables),
      originalTz: variables.TZ,
    }),
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    signal: AbortSignal.any([interruption.signal, forcedEnd]),
    admission: { open: true },
    interruptedStatus: () => INTERRUPTED_STATUS[interruption.action() ?? "none"],
    notice,
    agents: { started: usage.agents },
    recordedErrors: new WeakSet(),
  };
}

/** A script that threw leaves a run with finished work `completed_with_failures`; so does `strict` with any failed call. */
function withFailures(database: Database, plan: PlannedRun, end: RunEnd): RunEnd {
  const count = (sql: string) => database.get<{ n: number }>(sql, plan.id)?.n ?? 0;
  if (end.status === "failed") {
    const finished = count(
      "SELECT count(*) AS n FROM workflow_calls WHERE run_id = ? AND status = 'completed'",
    );
    return finished === 0 ? end : { ...end, status: "completed_with_failures" };
  }
  const strict = plan.limits.strict === true || isStrict(database, plan.id);
  if (end.status !== "completed" || !strict) return end;
  const failures = count("SELECT count(*) AS n FROM workflow_failures WHERE run_id = ?");
  if (failures === 0) return end;
  return {
    ...end,
    status: "completed_with_failures",
    error: `${failures} ${failures === 1 ? "call" : "calls"} failed in a strict run`,
    errorCode: "strict_failures",
  };
}

function isStrict(database: Database, runId: string): boolean {
  return (
    database.get<{ strict: number }>("SELECT strict FROM workflow_runs WHERE id = ?", runId)
      ?.strict === 1
  );
}
