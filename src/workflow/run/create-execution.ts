/** Makes what the calls of one execution share, from the run's row and what earlier executions left. */
import type { Environment } from "../../platform/environment.ts";
import { findExecutable } from "../../platform/process/executable.ts";
import { createLooks } from "../../platform/process/looks.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { userTimeZone } from "../../platform/time-zone.ts";
import { createPrices } from "../../providers/prices.ts";
import { quotaReset } from "../../providers/quota-reset.ts";
import { createProviders } from "../../providers/resolve.ts";
import { workerEnvironment } from "../../providers/worker-environment.ts";
import { parseFallback } from "../calls/candidates.ts";
import type { Execution } from "../calls/execution.ts";
import { createFinishedCalls } from "../calls/finished.ts";
import { createLull } from "../calls/lull.ts";
import { type RepoCalls, stubbedRepoCalls } from "../calls/repo-calls.ts";
import { createRepoWorker } from "../calls/repo-worker.ts";
import type { SchemaValidator } from "../engine/schema-host.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { createPlayer } from "../recordings/player.ts";
import { createRecorder } from "../recordings/recorder.ts";
import { createBreaker } from "./breaker.ts";
import { agentEstimate, createBudget, parseBudget } from "./budget.ts";
import { createCoolDowns } from "./cool-down.ts";
import type { DecisionLog } from "./decisions.ts";
import type { GateDecisions } from "./gate-decisions.ts";
import { createOccurrences } from "./identity.ts";
import type { Interruption } from "./interruption.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import { createRecorded } from "./replay.ts";
import { argsHash, type PlannedRun, workflowDepth } from "./request.ts";
import { readOpenCalls, readSettledCalls, readUsage } from "./resume-state.ts";
import { createSlots, parseProviderConcurrency } from "./slots.ts";
import type { RunRow } from "./store.ts";
import { createTokenBudget } from "./token-budget.ts";

/** What a call that was cut short is left as: `none` where nobody asked for it. */
const INTERRUPTED_STATUS = { pause: "paused", stop: "stopped", none: "interrupted" } as const;

export interface ExecutionParts {
  readonly powers: WorkflowPowers;
  readonly observer: RunObserver;
  readonly database: Database;
  readonly plan: PlannedRun;
  readonly row: RunRow;
  readonly directory: string;
  readonly journal: Journal;
  readonly interruption: Interruption;
  readonly validator: SchemaValidator;
  readonly repo: RepoCalls;
  readonly edits: Execution["edits"];
  readonly scanPatch: Execution["scanPatch"];
  readonly scriptChanged: boolean;
  readonly gates: GateDecisions;
  readonly decisions: DecisionLog;
  readonly agentIds: Set<string>;
  readonly notify: Execution["notify"];
  readonly limits: Limits;
  /** Ends the calls at work when the script had to be ended by force. */
  readonly forcedEnd: AbortSignal;
}

/** @throws PalliumError `stub_invalid` when the stub variables contradict themselves. */
export function createExecution(parts: ExecutionParts): Execution {
  const { powers, observer, database, plan, row, interruption } = parts;
  const { claude, models } = plan.settings;
  const variables = { ...powers.environment.variables, ...plan.settings.variables };
  const usage = readUsage(database, plan.id);
  const marked = (tell: (line: string) => void) => (line: string) =>
    tell(`[workflow:${plan.id}] ${line}`);
  return {
    runId: plan.id,
    task: plan.task,
    cwd: plan.cwd,
    directory: parts.directory,
    args: plan.args,
    argsHash: argsHash(plan.args),
    allowNetwork: row.allow_network === 1,
    timeoutSeconds: row.agent_timeout_seconds,
    maxAgents: row.max_agents,
    journal: parts.journal,
    settled: createRecorded(readSettledCalls(database, plan.id)),
    open: createRecorded(readOpenCalls(database, plan.id)),
    clock: powers.clock,
    budget: createBudget(
      parseBudget(row.max_budget_usd ?? undefined),
      usage.spentMicros,
      plan.replay === undefined ? agentEstimate(variables) : "free",
    ),
    tokens: createTokenBudget(row.max_tokens ?? undefined, usage.tokens),
    prices: createPrices(variables.PALLIUM_WORKFLOW_PRICES),
    ...slotsOf(row, variables),
    breaker: createBreaker((banner) =>
      quotaReset(banner, powers.clock.now(), userTimeZone(variables.TZ)),
    ),
    coolDowns: createCoolDowns(),
    retries: row.retries,
    fallback: parseFallback(row.fallback ?? variables.PALLIUM_WORKFLOW_FALLBACK),
    occurrence: createOccurrences(),
    ids: powers.ids,
    providers: createProviders({
      variables,
      codexBinary: row.codex_binary,
      claudeBinary: claude,
      models,
      findExecutable: (program) => findExecutable(program, variables.PATH ?? "", plan.cwd),
    }),
    ...recordingsOf(parts),
    validator: parts.validator,
    repo: parts.repo,
    edits: parts.edits,
    scanPatch: parts.scanPatch,
    scriptChanged: parts.scriptChanged,
    lull: createLull(),
    finished: createFinishedCalls(),
    gates: parts.gates,
    decisions: parts.decisions,
    workerEnvironment: environmentOfWorkers(powers.environment.variables),
    looks: createLooks(),
    outputLimitBytes: parts.limits.outputBytes,
    signal: AbortSignal.any([interruption.signal, parts.forcedEnd]),
    drain: interruption.drain,
    callStops: interruption.callStops,
    isUrgent: interruption.isUrgent,
    admission: { open: true },
    interruptedStatus: () => INTERRUPTED_STATUS[interruption.action() ?? "none"],
    notice: marked(observer.notice),
    detail: marked(observer.detail),
    warn: marked(observer.warn),
    notify: parts.notify,
    agents: { started: usage.agents },
    agentIds: parts.agentIds,
    recordedErrors: new WeakSet(),
  };
}

function recordingsOf({
  plan: { cwd, record, replay },
  powers: { git },
}: ExecutionParts): Pick<Execution, "recorder" | "player"> {
  if (replay !== undefined) return { player: createPlayer({ folder: replay, cwd }, git) };
  return record === undefined ? {} : { recorder: createRecorder({ folder: record, cwd }) };
}

function slotsOf(
  row: RunRow,
  { PALLIUM_WORKFLOW_PROVIDER_CONCURRENCY: byDefault }: Environment["variables"],
): Pick<Execution, "slots" | "freeSlots"> {
  const perProvider = parseProviderConcurrency(row.provider_concurrency ?? byDefault);
  return {
    slots: createSlots(row.max_concurrent_agents, perProvider),
    freeSlots: createSlots(Number.POSITIVE_INFINITY, new Map()),
  };
}

/** Closed by the caller. */
export function createRepoCalls(
  { environment, home, repoWorker }: WorkflowPowers,
  { cwd }: PlannedRun,
): RepoCalls {
  const stub = environment.variables.PALLIUM_WORKFLOW_PALLIUM_STUB;
  if (stub) return stubbedRepoCalls(stub);
  const variables = environmentOfWorkers(environment.variables);
  return createRepoWorker(repoWorker, { environment: { ...environment, cwd, variables }, home });
}

/** What workers of this process are started with. */
export function environmentOfWorkers(variables: Environment["variables"]): Record<string, string> {
  const depth = workflowDepth(variables);
  return workerEnvironment(variables, { depth, originalTz: variables.TZ });
}
