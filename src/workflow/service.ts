/** The workflow domain as operations call it: each opens the store it is told to, and closes it. */
import type { Database } from "../platform/sqlite/database.ts";
import type { SecretScan } from "../secrets/finding.ts";
import {
  type AppliedPatches,
  type ApplyRequest,
  applyRun,
  type RevertedPatches,
  revertRun,
} from "./apply/commands.ts";
import { finishRemovals } from "./archive/finish-removals.ts";
import { type ArchiveOperations, archiveOperations } from "./archive/operations.ts";
import { type AuditReport, type AuditRequest, audit } from "./audit/audit.ts";
import { type AuthoringOperations, authoringOperations } from "./authoring/operations.ts";
import {
  type CompareRequest,
  compareRuns,
  type RunComparison,
} from "./comparison/run-comparison.ts";
import type { RepoDiff } from "./diff/repo-diff.ts";
import { type DiffRequest, diffRun } from "./diff/run-diff.ts";
import { type CollectReport, type CollectRequest, collectRuns } from "./gc/collect-runs.ts";
import { type LiveOperations, liveOperations } from "./live/operations.ts";
import type { RunObserver, WorkflowPowers } from "./powers.ts";
import { type RehearsalOperations, rehearsalOperations } from "./rehearsal/operations.ts";
import { type OverviewOperations, overviewOperations } from "./reports/operations.ts";
import { findSecrets, type SecretsRequest, secretsInRun } from "./reports/secrets.ts";
import { type Inspection, inspect, type StatusReport, statusReport } from "./reports/status.ts";
import { type BackgroundRun, startInBackground } from "./run/background.ts";
import { type EndedRun, endFromOutside } from "./run/end-from-outside.ts";
import type { GateAction } from "./run/gate-records.ts";
import {
  type DecidedGate,
  decideFromOutside,
  type GateDecisionRequest,
  listGates,
} from "./run/gates-from-outside.ts";
import { takeHandedOver } from "./run/hand-over.ts";
import { runThroughQuotas } from "./run/quota-wait.ts";
import { type PlannedRun, planRun, type RunRequest } from "./run/request.ts";
import { planResume, type ResumeRequest } from "./run/resume.ts";
import { planResumption, type ResumePlan, type ResumePlanRequest } from "./run/resume-plan.ts";
import type { RunReport } from "./run/run-report.ts";
import { type StoppedCall, stopCall } from "./run/stop-call.ts";
import { listFailures, listRuns, readOutline, readSnapshot, requireRun } from "./run/store.ts";
import type { GateRecord, RunFailure, RunRecord, Snapshot } from "./run/types.ts";
import { type SettingsOperations, settingsOperations } from "./settings/operations.ts";
import { type TriggerOperations, triggerOperations } from "./triggers/operations.ts";
import {
  type RunIdRequest,
  reconcile,
  type StoreRequest,
  storeUser,
  type WithStore,
} from "./with-store.ts";

export interface GateRequest extends StoreRequest, GateDecisionRequest {}

export interface PauseRequest extends RunIdRequest {
  /** Let the agents at work finish first. */
  readonly drain?: boolean;
}

export interface StopRequest extends RunIdRequest {
  /** Id or label of the only agent to stop. */
  readonly agent?: string;
}

export interface ReadResult {
  readonly id: string;
  readonly result: string;
  readonly error: string;
  readonly failures: readonly RunFailure[];
}

export interface WorkflowService
  extends ArchiveOperations,
    AuthoringOperations,
    RehearsalOperations,
    LiveOperations,
    OverviewOperations,
    SettingsOperations,
    TriggerOperations {
  run(request: RunRequest, observer: RunObserver): Promise<RunReport>;
  resume(request: ResumeRequest, observer: RunObserver): Promise<RunReport>;
  /** Have the run executed by a process of its own; return once that process has it. */
  runInBackground(request: RunRequest, observer: RunObserver): Promise<BackgroundRun>;
  resumeInBackground(request: ResumeRequest, observer: RunObserver): Promise<BackgroundRun>;
  /** What that process does. */
  runHandedOver(plan: string, observer: RunObserver): Promise<RunReport>;
  /** Says what a resume would do; neither spends nor writes anything. */
  plan(request: ResumePlanRequest): Promise<ResumePlan>;
  pause(request: PauseRequest): Promise<EndedRun>;
  stop(request: StopRequest): Promise<EndedRun | StoppedCall>;
  gateList(request: RunIdRequest): Promise<GateRecord[]>;
  gateApprove(request: GateRequest): Promise<DecidedGate>;
  gateReject(request: GateRequest): Promise<DecidedGate>;
  gateReopen(request: GateRequest): Promise<DecidedGate>;
  list(request: StoreRequest & { limit: number }, observer: RunObserver): Promise<RunRecord[]>;
  status(request: RunIdRequest, observer: RunObserver): Promise<StatusReport>;
  inspect(request: RunIdRequest, observer: RunObserver): Promise<Inspection>;
  show(request: RunIdRequest): Promise<Snapshot>;
  read(request: RunIdRequest): Promise<ReadResult>;
  apply(request: StoreRequest & ApplyRequest, observer: RunObserver): Promise<AppliedPatches>;
  revert(request: RunIdRequest, observer: RunObserver): Promise<RevertedPatches>;
  gc(request: CollectRequest, observer: RunObserver): Promise<CollectReport>;
  /** One for each repository; their patches are read when they are asked for. */
  diff(request: StoreRequest & DiffRequest): Promise<readonly RepoDiff[]>;
  /** Of two runs; reads nothing but the store. */
  compare(request: StoreRequest & CompareRequest): Promise<RunComparison>;
  /** Tries what workflows have to do; in homes that are made for it, and gone at the end. */
  audit(request: AuditRequest, observer: RunObserver): Promise<AuditReport>;
  /** Of the patches of a run, or of one that is no run's. */
  secrets(request: StoreRequest & SecretsRequest): Promise<SecretScan>;
}

export function createWorkflowService(powers: WorkflowPowers): WorkflowService {
  const withStore = storeUser(powers);
  return {
    ...runOperations(powers, withStore),
    ...reportOperations(powers, withStore),
    ...archiveOperations(powers, withStore),
    ...overviewOperations(powers, withStore),
    ...authoringOperations(powers, withStore),
    ...rehearsalOperations(powers, withStore),
    ...gateOperations(powers, withStore),
    ...liveOperations(powers),
    ...settingsOperations(powers),
    ...triggerOperations(powers, withStore),
    apply: ({ db, ...request }, observer) =>
      withStore(db, (database) => applyRun(powers, database, request, observer)),
    revert: ({ db, id }, observer) =>
      withStore(db, (database) => revertRun(powers, database, id, observer)),
    gc: (request, observer) =>
      withStore(request.db, (database) => collectRuns(powers, database, request, observer)),
    diff: ({ db, ...request }) => withStore(db, (database) => diffRun(powers, database, request)),
    compare: ({ db, ...request }) => withStore(db, (database) => compareRuns(database, request)),
    audit: (request, observer) => audit(powers, observer, request),
    secrets: ({ db, ...request }) =>
      findSecrets(
        request,
        (id) => withStore(db, (database) => secretsInRun(database, id)),
        powers.environment.cwd,
      ),
  };
}

function runOperations(
  powers: WorkflowPowers,
  withStore: WithStore,
): Pick<
  WorkflowService,
  | "run"
  | "resume"
  | "runInBackground"
  | "resumeInBackground"
  | "runHandedOver"
  | "plan"
  | "pause"
  | "stop"
> {
  /** Of all operations only these make a store where there is none. */
  const withOwnStore = async <T>(
    plan: PlannedRun,
    observer: RunObserver,
    work: (database: Database) => Promise<T>,
  ): Promise<T> => {
    const database = await powers.openStore(plan.db);
    try {
      await finishRemovals(powers, database, observer.warn);
      return await work(database);
    } finally {
      database.close();
    }
  };
  const execute = (plan: PlannedRun, observer: RunObserver) =>
    withOwnStore(plan, observer, (database) => runThroughQuotas(powers, observer, database, plan));
  return {
    run: async (request, observer) => execute(await planRun(powers, observer, request), observer),
    runInBackground: async (request, observer) => {
      const plan = await planRun(powers, observer, request);
      return withOwnStore(plan, observer, (database) => startInBackground(powers, database, plan));
    },
    resumeInBackground: (request, observer) =>
      withStore(request.db, async (database) =>
        startInBackground(powers, database, await planResume(powers, observer, database, request)),
      ),
    runHandedOver: async (text, observer) => execute(await takeHandedOver(text), observer),
    resume: (request, observer) =>
      withStore(request.db, async (database) =>
        runThroughQuotas(
          powers,
          observer,
          database,
          await planResume(powers, observer, database, request),
        ),
      ),
    plan: (request) =>
      withStore(request.db, (database) => planResumption(powers, database, request)),
    pause: ({ db, id, drain = false }) =>
      withStore(db, (database) => endFromOutside(powers, database, id, drain ? "drain" : "pause")),
    stop: ({ db, id, agent }) =>
      withStore(db, (database) =>
        agent === undefined
          ? endFromOutside(powers, database, id, "stop")
          : stopCall(powers, database, id, agent),
      ),
  };
}

function gateOperations(
  { clock }: WorkflowPowers,
  withStore: WithStore,
): Pick<WorkflowService, "gateList" | "gateApprove" | "gateReject" | "gateReopen"> {
  const decide = (action: GateAction, { db, ...request }: GateRequest) =>
    withStore(db, (database) => decideFromOutside(database, clock, action, request));
  return {
    gateList: ({ db, id }) => withStore(db, (database) => listGates(database, id)),
    gateApprove: (request) => decide("approve", request),
    gateReject: (request) => decide("reject", request),
    gateReopen: (request) => decide("reopen", request),
  };
}

function reportOperations(
  powers: WorkflowPowers,
  withStore: WithStore,
): Pick<WorkflowService, "list" | "status" | "inspect" | "show" | "read"> {
  /** Reads of what is going on first mark what no longer goes on. */
  const withTrueRows = <T>(
    db: string | undefined,
    observer: RunObserver,
    read: (database: Database) => T,
  ) =>
    withStore(db, async (database) => {
      const { length } = await reconcile(powers, database, observer);
      if (length > 0) observer.notice(`Reconciled ${length} stale run(s) to interrupted just now.`);
      return read(database);
    });
  return {
    list: ({ db, limit }, observer) =>
      withTrueRows(db, observer, (database) => listRuns(database, limit)),
    status: ({ db, id }, observer) =>
      withTrueRows(db, observer, (database) =>
        statusReport(readOutline(database, requireRun(database, id))),
      ),
    inspect: ({ db, id }, observer) =>
      withTrueRows(db, observer, (database) => inspect(snapshotOf(database, id))),
    show: ({ db, id }) => withStore(db, (database) => snapshotOf(database, id)),
    read: ({ db, id }) =>
      withStore(db, (database) => {
        const { result, error } = requireRun(database, id);
        const failures = listFailures(database, id);
        return { id, result: result ?? "", error: error ?? "", failures };
      }),
  };
}

function snapshotOf(database: Database, id: string): Snapshot {
  return readSnapshot(database, requireRun(database, id));
}
