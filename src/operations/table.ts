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
import type { RunRequest } from "../workflow/run/request.ts";
import type { ResumeRequest } from "../workflow/run/resume.ts";
import type { ResumePlanRequest } from "../workflow/run/resume-plan.ts";
import type { EventsRequest, RunIdRequest, StoreRequest } from "../workflow/service.ts";
import type { Operation } from "./operation.ts";

function operation<Input, Output>(
  summary: string,
  call: Operation<Input, Output>["call"],
): Operation<Input, Output> {
  return { summary, call };
}

export const operations = {
  "workflow.run": operation(
    "Run a workflow: a script, a saved workflow, or the default script on a bare task",
    ({ workflow }, input: RunRequest, observer) => workflow.run(input, observer),
  ),
  "workflow.resume": operation(
    "Continue a run where it ended; finished calls are not paid for again",
    ({ workflow }, input: ResumeRequest, observer) => workflow.resume(input, observer),
  ),
  "workflow.plan": operation(
    "Say what a resume would take from the journal and what it would run",
    ({ workflow }, input: ResumePlanRequest) => workflow.plan(input),
  ),
  "workflow.pause": operation(
    "Pause a run and wait until its workers are gone; resume goes on with it",
    ({ workflow }, input: RunIdRequest) => workflow.pause(input),
  ),
  "workflow.stop": operation(
    "Stop a run and wait until its workers are gone",
    ({ workflow }, input: RunIdRequest) => workflow.stop(input),
  ),
  "workflow.list": operation(
    "List recent runs, the latest first",
    ({ workflow }, input: StoreRequest & { limit: number }, observer) =>
      workflow.list(input, observer),
  ),
  "workflow.status": operation(
    "Say how a run stands: verdict, counts and outcomes",
    ({ workflow }, input: RunIdRequest, observer) => workflow.status(input, observer),
  ),
  "workflow.inspect": operation(
    "Report a run in full: status, phases, calls, failures and result",
    ({ workflow }, input: RunIdRequest, observer) => workflow.inspect(input, observer),
  ),
  "workflow.show": operation(
    "Show the records of a run: the run, its phases and its calls",
    ({ workflow }, input: RunIdRequest) => workflow.show(input),
  ),
  "workflow.read": operation("Read the result of a run", ({ workflow }, input: RunIdRequest) =>
    workflow.read(input),
  ),
  "workflow.events": operation(
    "Read the journal of a run, record by record",
    async ({ workflow }, input: EventsRequest) => workflow.events(input),
  ),
  "workflow.validate": operation(
    "Check a workflow script without running it",
    ({ workflow }, input: { path: string }) => workflow.validate(input),
  ),
  "workflow.tools": operation(
    "List what workflow scripts can call",
    async ({ workflow }, input: { kind?: string }) => workflow.tools(input),
  ),
  index: operation(
    "Read the history and the files of a repository, or what is new of them",
    ({ repo }, input: IndexRequest, observer) => repo.index(input, observer),
  ),
  doctor: operation(
    "Say where pallium keeps what it knows, in what state it is, and what to do",
    ({ repo }, input: RepoRequest, observer) => repo.doctor(input, observer),
  ),
  risk: operation(
    "Say how risky an edit of a file is, compared with the other files, and why",
    ({ repo }, input: PathRequest, observer) => repo.risk(input, observer),
  ),
  neighbors: operation(
    "List the files that most likely change together with one",
    ({ repo }, input: NeighborsRequest, observer) => repo.neighbors(input, observer),
  ),
  decisions: operation(
    "Search commit messages for what was decided, and why",
    ({ repo }, input: DecisionsRequest, observer) => repo.decisions(input, observer),
  ),
  explain: operation(
    "Say what there is to know of a file before it is edited",
    ({ repo }, input: PathRequest, observer) => repo.explain(input, observer),
  ),
  safe: operation(
    "Say whether a file can be edited alone, and what to check",
    ({ repo }, input: PathRequest, observer) => repo.safe(input, observer),
  ),
  plan: operation(
    "Plan an edit of a file: what to read, in which steps, what to run",
    ({ repo }, input: PathRequest, observer) => repo.plan(input, observer),
  ),
  "changed-now": operation(
    "Say what is changed and not committed, how risky it is and what tests it",
    ({ repo }, input: RepoRequest, observer) => repo.changedNow(input, observer),
  ),
  review: operation(
    "Review what changed since a base: risk, missing partners, tests, secrets, drift",
    ({ repo }, input: ReviewRequest, observer) => repo.review(input, observer),
  ),
  handoff: operation(
    "Write what somebody needs who goes on with this branch",
    ({ repo }, input: RangeRequest, observer) => repo.handoff(input, observer),
  ),
  "workflow.preflight": operation(
    "Say what agents must know before they begin a task",
    ({ repo }, input: PreflightRequest, observer) => repo.preflight(input, observer),
  ),
  verify: operation(
    "Run the tests and checks that concern what changed, and put them on record",
    ({ repo }, input: VerifyRequest, observer) => repo.verify(input, observer),
  ),
  score: operation(
    "Measure how good the answers are on this repository's own history",
    ({ repo }, input: ScoreRequest, observer) => repo.score(input, observer),
  ),
  map: operation(
    "Show where the repository is large, busy and often mended; with --html as a map to look at",
    ({ repo }, input: MapRequest, observer) => repo.map(input, observer),
  ),
  "task.start": operation(
    "Say what is worked on, and where, so that changes elsewhere show",
    ({ repo }, input: TaskStartRequest, observer) => repo.taskStart(input, observer),
  ),
  "task.show": operation(
    "Show the task that is worked on",
    ({ repo }, input: RepoRequest, observer) => repo.taskShow(input, observer),
  ),
  "task.clear": operation(
    "End the task that is worked on",
    ({ repo }, input: RepoRequest, observer) => repo.taskClear(input, observer),
  ),
} as const;

export type OperationName = keyof typeof operations;
