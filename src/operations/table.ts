/** The one table of what the product can do. Schemas stand apart and load only when asked for. */
import type {
  DecisionsRequest,
  IndexRequest,
  MapRequest,
  NeighborsRequest,
  PathRequest,
  PreflightRequest,
  RangeRequest,
  RepoRequest,
  ReviewRequest,
  ScoreRequest,
  TaskStartRequest,
  VerifyRequest,
} from "../repo/requests.ts";
import type { ApplyRequest } from "../workflow/apply/commands.ts";
import type { DeleteRequest } from "../workflow/archive/delete-run.ts";
import type { ExportRequest } from "../workflow/archive/export-run.ts";
import type { ImportRequest } from "../workflow/archive/import-run.ts";
import type { AuditRequest } from "../workflow/audit/audit.ts";
import type { GenerateRequest } from "../workflow/authoring/generate.ts";
import type { InstallRequest, LibraryRequest, PackRequest } from "../workflow/authoring/library.ts";
import type { NothingAsked } from "../workflow/authoring/operations.ts";
import type { SaveRequest } from "../workflow/authoring/save-run.ts";
import type { TypesRequest } from "../workflow/authoring/types/write-types.ts";
import type { CompareRequest } from "../workflow/comparison/run-comparison.ts";
import type { DiffRequest } from "../workflow/diff/run-diff.ts";
import type { CollectRequest } from "../workflow/gc/collect-runs.ts";
import type { EventsRequest } from "../workflow/live/events.ts";
import type { LogsRequest } from "../workflow/live/logs.ts";
import type { WatchRequest } from "../workflow/live/watch.ts";
import type { DeterminismRequest } from "../workflow/rehearsal/determinism.ts";
import type { RehearsalRequest } from "../workflow/rehearsal/rehearsed-run.ts";
import type { OverviewRequest, ReportRequest } from "../workflow/reports/operations.ts";
import type { SecretsRequest } from "../workflow/reports/secrets.ts";
import type { RunRequest } from "../workflow/run/request.ts";
import type { ResumeRequest } from "../workflow/run/resume.ts";
import type { ResumePlanRequest } from "../workflow/run/resume-plan.ts";
import type { GateRequest, PauseRequest, StopRequest } from "../workflow/service.ts";
import type { TrustRequest } from "../workflow/settings/operations.ts";
import type { TriggerAddRequest } from "../workflow/triggers/define.ts";
import type { TriggerInstallRequest } from "../workflow/triggers/install/install.ts";
import type { TriggerRequest, TriggerRunRequest } from "../workflow/triggers/operations.ts";
import type { TriggerWatchRequest } from "../workflow/triggers/watch.ts";
import type { RunIdRequest, StoreRequest } from "../workflow/with-store.ts";
import { operation } from "./operation.ts";
import { sessionOperations } from "./session-table.ts";

export const operations = {
  "workflow.run": operation(
    "Run a workflow: a script, a saved workflow, or the default script on a bare task",
    async ({ workflow }, input: RunRequest, observer) => (await workflow()).run(input, observer),
  ),
  "workflow.resume": operation(
    "Continue a run where it ended; finished calls are not paid for again",
    async ({ workflow }, input: ResumeRequest, observer) =>
      (await workflow()).resume(input, observer),
  ),
  "workflow.run.background": operation(
    "Start a run that goes on in a process of its own",
    async ({ workflow }, input: RunRequest, observer) =>
      (await workflow()).runInBackground(input, observer),
  ),
  "workflow.resume.background": operation(
    "Continue a run in a process of its own",
    async ({ workflow }, input: ResumeRequest, observer) =>
      (await workflow()).resumeInBackground(input, observer),
  ),
  "workflow.plan": operation(
    "Say what a resume would take from the journal and what it would run",
    async ({ workflow }, input: ResumePlanRequest) => (await workflow()).plan(input),
  ),
  "workflow.pause": operation(
    "Pause a run and wait until its workers are gone; resume goes on with it",
    async ({ workflow }, input: PauseRequest) => (await workflow()).pause(input),
  ),
  "workflow.stop": operation(
    "Stop a run, or one agent of it, and wait until its workers are gone",
    async ({ workflow }, input: StopRequest) => (await workflow()).stop(input),
  ),
  "workflow.list": operation(
    "List recent runs, the latest first",
    async ({ workflow }, input: StoreRequest & { limit: number }, observer) =>
      (await workflow()).list(input, observer),
  ),
  "workflow.status": operation(
    "Say how a run stands: verdict, counts and outcomes",
    async ({ workflow }, input: RunIdRequest, observer) =>
      (await workflow()).status(input, observer),
  ),
  "workflow.inspect": operation(
    "Report a run in full: status, phases, calls, failures and result",
    async ({ workflow }, input: RunIdRequest, observer) =>
      (await workflow()).inspect(input, observer),
  ),
  "workflow.show": operation(
    "Show the records of a run: the run, its phases and its calls",
    async ({ workflow }, input: RunIdRequest) => (await workflow()).show(input),
  ),
  "workflow.read": operation(
    "Read the result of a run",
    async ({ workflow }, input: RunIdRequest) => (await workflow()).read(input),
  ),
  "workflow.report": operation(
    "Report what a run found: findings, risks, next steps, what each agent says, decisions",
    async ({ workflow }, input: ReportRequest, observer) =>
      (await workflow()).report(input, observer),
  ),
  "workflow.analytics": operation(
    "Sum up the newest runs: how they ended, what their agents did, what it cost",
    async ({ workflow }, input: OverviewRequest, observer) =>
      (await workflow()).analytics(input, observer),
  ),
  "workflow.fleet": operation(
    "Say what runs and what waits, and how the newest runs went",
    async ({ workflow }, input: OverviewRequest, observer) =>
      (await workflow()).fleet(input, observer),
  ),
  "workflow.events": operation(
    "Read the journal of a run, record by record",
    async ({ workflow }, input: EventsRequest, observer) =>
      (await workflow()).events(input, observer),
  ),
  "workflow.watch": operation(
    "Watch a run: its phases and agents, what they cost and print, until it ends",
    async ({ workflow }, input: WatchRequest, observer) =>
      (await workflow()).watch(input, observer),
  ),
  "workflow.logs": operation(
    "Print what the agents of a run printed, or print right now",
    async ({ workflow }, input: LogsRequest, observer) => (await workflow()).logs(input, observer),
  ),
  "workflow.gate.list": operation(
    "List the gates of a run and how they were decided, the newest first",
    async ({ workflow }, input: RunIdRequest) => (await workflow()).gateList(input),
  ),
  "workflow.gate.approve": operation(
    "Approve a gate that is open; a run that waits for it goes on",
    async ({ workflow }, input: GateRequest) => (await workflow()).gateApprove(input),
  ),
  "workflow.gate.reject": operation(
    "Reject a gate that is open",
    async ({ workflow }, input: GateRequest) => (await workflow()).gateReject(input),
  ),
  "workflow.gate.reopen": operation(
    "Have a gate that was decided asked again by the next resume",
    async ({ workflow }, input: GateRequest) => (await workflow()).gateReopen(input),
  ),
  "workflow.trigger.add": operation(
    "Make a trigger that starts a workflow, or change the one of that name",
    async ({ workflow }, input: TriggerAddRequest) => (await workflow()).triggerAdd(input),
  ),
  "workflow.trigger.list": operation(
    "List triggers, the one changed last first",
    async ({ workflow }, input: StoreRequest) => (await workflow()).triggerList(input),
  ),
  "workflow.trigger.show": operation(
    "Show a trigger: what it starts, when, and what it started last",
    async ({ workflow }, input: TriggerRequest) => (await workflow()).triggerShow(input),
  ),
  "workflow.trigger.enable": operation(
    "Switch a trigger on; what was due while it was off is not made up for",
    async ({ workflow }, input: TriggerRequest) => (await workflow()).triggerEnable(input),
  ),
  "workflow.trigger.disable": operation(
    "Switch a trigger off",
    async ({ workflow }, input: TriggerRequest) => (await workflow()).triggerDisable(input),
  ),
  "workflow.trigger.delete": operation(
    "Delete a trigger; the runs that it started stay",
    async ({ workflow }, input: TriggerRequest) => (await workflow()).triggerDelete(input),
  ),
  "workflow.trigger.run": operation(
    "Run what a trigger starts, unless it looks for changes and there are none",
    async ({ workflow }, input: TriggerRunRequest, observer) =>
      (await workflow()).triggerRun(input, observer),
  ),
  "workflow.trigger.watch": operation(
    "Look at triggers again and again, and run those that are due or found a change",
    async ({ workflow }, input: TriggerWatchRequest, observer) =>
      (await workflow()).triggerWatch(input, observer),
  ),
  "workflow.trigger.install": operation(
    "Have systemd, launchd or cron run the watch of triggers, from now on",
    async ({ workflow }, input: TriggerInstallRequest, observer) =>
      (await workflow()).triggerInstall(input, observer),
  ),
  "workflow.apply": operation(
    "Bring what a run edited into the checkout, or onto a new branch: all of it, or nothing",
    async ({ workflow }, input: StoreRequest & ApplyRequest, observer) =>
      (await workflow()).apply(input, observer),
  ),
  "workflow.revert": operation(
    "Take what a run edited out of the checkout again",
    async ({ workflow }, input: RunIdRequest, observer) =>
      (await workflow()).revert(input, observer),
  ),
  "workflow.gc": operation(
    "Remove the files of runs that ended long ago; what they recorded is kept",
    async ({ workflow }, input: CollectRequest, observer) => (await workflow()).gc(input, observer),
  ),
  "workflow.delete": operation(
    "Delete a run: what it recorded, and its files",
    async ({ workflow }, input: StoreRequest & DeleteRequest, observer) =>
      (await workflow()).deleteRun(input, observer),
  ),
  "workflow.export": operation(
    "Write a run to one file, records and files, for another machine",
    async ({ workflow }, input: StoreRequest & ExportRequest, observer) =>
      (await workflow()).exportRun(input, observer),
  ),
  "workflow.import": operation(
    "Put a run on record that was exported elsewhere",
    async ({ workflow }, input: StoreRequest & ImportRequest, observer) =>
      (await workflow()).importRun(input, observer),
  ),
  "workflow.diff": operation(
    "Show what the agents of a run changed, as a patch that git takes; of two runs, how they differ",
    async ({ workflow }, input: StoreRequest & DiffRequest) => (await workflow()).diff(input),
  ),
  "workflow.compare": operation(
    "Compare two runs: which calls are the same, which differ in what, and where they part",
    async ({ workflow }, input: StoreRequest & CompareRequest) => (await workflow()).compare(input),
  ),
  "workflow.secrets": operation(
    "Search a patch, or those of a run, for secrets",
    async ({ workflow }, input: StoreRequest & SecretsRequest) => (await workflow()).secrets(input),
  ),
  "workflow.audit": operation(
    "Try everything that workflows have to do, on the spot, and say what was seen",
    async ({ workflow }, input: AuditRequest, observer) =>
      (await workflow()).audit(input, observer),
  ),
  "workflow.validate": operation(
    "Check a workflow script without running it",
    async ({ workflow }, input: { path: string }) => (await workflow()).validate(input),
  ),
  "workflow.tools": operation(
    "List what workflow scripts can call",
    async ({ workflow }, input: { kind?: string }) => (await workflow()).tools(input),
  ),
  "workflow.dry-run": operation(
    "Show what a script would do: it is run with stubs in the place of all its calls",
    async ({ workflow }, input: RehearsalRequest, observer) =>
      (await workflow()).dryRun(input, observer),
  ),
  "workflow.check-determinism": operation(
    "Check that a script makes the same calls in whichever order they complete",
    async ({ workflow }, input: DeterminismRequest, observer) =>
      (await workflow()).checkDeterminism(input, observer),
  ),
  "workflow.types": operation(
    "Write TypeScript declarations of what scripts can call, for editors",
    async ({ workflow }, input: TypesRequest) => (await workflow()).types(input),
  ),
  "workflow.generate": operation(
    "Write a workflow script for a task: from a template, or by a model",
    async ({ workflow }, input: GenerateRequest, observer) =>
      (await workflow()).generate(input, observer),
  ),
  "workflow.save": operation(
    "Save the script of a run under a name",
    async ({ workflow }, input: StoreRequest & SaveRequest) => (await workflow()).save(input),
  ),
  "workflow.template.list": operation(
    "List the templates that scripts are generated from",
    async ({ workflow }, input: NothingAsked) => (await workflow()).templateList(input),
  ),
  "workflow.template.show": operation(
    "Show one template",
    async ({ workflow }, input: { name: string }) => (await workflow()).templateShow(input),
  ),
  "workflow.library.list": operation(
    "List the workflows that come with pallium, or those of a folder or a git repository",
    async ({ workflow }, input: LibraryRequest, observer) =>
      (await workflow()).libraryList(input, observer),
  ),
  "workflow.library.show": operation(
    "Show one workflow of the library",
    async ({ workflow }, input: PackRequest, observer) =>
      (await workflow()).libraryShow(input, observer),
  ),
  "workflow.library.install": operation(
    "Save a workflow of the library, a folder or a git repository in this one",
    async ({ workflow }, input: InstallRequest, observer) =>
      (await workflow()).libraryInstall(input, observer),
  ),
  settings: operation(
    "Show the settings in force, and where each comes from",
    async ({ workflow }, input: { cwd?: string }) => (await workflow()).settings(input),
  ),
  trust: operation(
    "Trust the settings file of a repository, until it changes",
    async ({ workflow }, input: TrustRequest) => (await workflow()).trust(input),
  ),
  "trust.list": operation(
    "List the settings files of repositories that are trusted",
    async ({ workflow }, input: NothingAsked) => (await workflow()).trustList(input),
  ),
  "trust.revoke": operation(
    "Trust the settings file of a repository no more",
    async ({ workflow }, input: TrustRequest) => (await workflow()).trustRevoke(input),
  ),
  index: operation(
    "Read the history and the files of a repository, or what is new of them",
    async ({ repo }, input: IndexRequest, observer) => (await repo()).index(input, observer),
  ),
  doctor: operation(
    "Say where pallium keeps what it knows, in what state it is, and what to do",
    async ({ repo }, input: RepoRequest, observer) => (await repo()).doctor(input, observer),
  ),
  risk: operation(
    "Say how risky an edit of a file is, compared with the other files, and why",
    async ({ repo }, input: PathRequest, observer) => (await repo()).risk(input, observer),
  ),
  neighbors: operation(
    "List the files that most likely change together with one",
    async ({ repo }, input: NeighborsRequest, observer) =>
      (await repo()).neighbors(input, observer),
  ),
  decisions: operation(
    "Search commit messages and recorded decisions for what was decided, and why",
    async ({ repo }, input: DecisionsRequest, observer) =>
      (await repo()).decisions(input, observer),
  ),
  explain: operation(
    "Say what there is to know of a file before it is edited",
    async ({ repo }, input: PathRequest, observer) => (await repo()).explain(input, observer),
  ),
  safe: operation(
    "Say whether a file can be edited alone, and what to check",
    async ({ repo }, input: PathRequest, observer) => (await repo()).safe(input, observer),
  ),
  plan: operation(
    "Plan an edit of a file: what to read, in which steps, what to run",
    async ({ repo }, input: PathRequest, observer) => (await repo()).plan(input, observer),
  ),
  "changed-now": operation(
    "Say what is changed and not committed, how risky it is and what tests it",
    async ({ repo }, input: RepoRequest, observer) => (await repo()).changedNow(input, observer),
  ),
  review: operation(
    "Review what changed since a base: risk, missing partners, tests, secrets, drift",
    async ({ repo }, input: ReviewRequest, observer) => (await repo()).review(input, observer),
  ),
  handoff: operation(
    "Write what somebody needs who goes on with this branch",
    async ({ repo }, input: RangeRequest, observer) => (await repo()).handoff(input, observer),
  ),
  "workflow.preflight": operation(
    "Say what agents must know before they begin a task",
    async ({ repo }, input: PreflightRequest, observer) =>
      (await repo()).preflight(input, observer),
  ),
  verify: operation(
    "Run the tests and checks that concern what changed, and put them on record",
    async ({ repo }, input: VerifyRequest, observer) => (await repo()).verify(input, observer),
  ),
  score: operation(
    "Measure how good the answers are on this repository's own history",
    async ({ repo }, input: ScoreRequest, observer) => (await repo()).score(input, observer),
  ),
  map: operation(
    "Show where the repository is large, busy and often mended; with --html as a map to look at",
    async ({ repo }, input: MapRequest, observer) => (await repo()).map(input, observer),
  ),
  "task.start": operation(
    "Say what is worked on, and where, so that changes elsewhere show",
    async ({ repo }, input: TaskStartRequest, observer) =>
      (await repo()).taskStart(input, observer),
  ),
  "task.show": operation(
    "Show the task that is worked on",
    async ({ repo }, input: RepoRequest, observer) => (await repo()).taskShow(input, observer),
  ),
  "task.clear": operation(
    "End the task that is worked on",
    async ({ repo }, input: RepoRequest, observer) => (await repo()).taskClear(input, observer),
  ),
  ...sessionOperations,
} as const;

export type OperationName = keyof typeof operations;
