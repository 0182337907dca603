/** Repo memory as operations call it. */
import { PalliumError, usageError } from "../lib/errors.ts";
import { isDirectory } from "../platform/files.ts";
import { type Related, relatedFiles } from "./analysis/related.ts";
import { type RiskReport, riskOf } from "./analysis/risk.ts";
import { type Decision, searchDecisions } from "./decisions/search.ts";
import { gather } from "./gather.ts";
import { openIndex } from "./history/index-history.ts";
import { findRepository } from "./identity.ts";
import { indexRepository } from "./index-repository.ts";
import { interruptible } from "./interruptible.ts";
import { openRepository } from "./open-repository.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import type { ReportContext } from "./reports/context.ts";
import { type DoctorReport, doctorReport } from "./reports/doctor.ts";
import { explainReport } from "./reports/explain.ts";
import { type IndexReport, indexReport } from "./reports/index-report.ts";
import { planReport } from "./reports/plan.ts";
import { safeReport } from "./reports/safe.ts";
import type { ExplainReport, PlanReport, SafeReport } from "./reports/shapes.ts";
import type { TaskStatus } from "./reports/task-status.ts";
import type {
  DecisionsRequest,
  IndexRequest,
  NeighborsRequest,
  PathRequest,
  RepoRequest,
  TaskStartRequest,
  VerifyRequest,
} from "./requests.ts";
import { type TaskCleared, taskClear, taskShow, taskStart } from "./tasks.ts";
import { tierOf } from "./verification/plan.ts";
import { type VerifyReport, verify } from "./verification/verify.ts";
import { folderOfRequest, withRepository } from "./with-repository.ts";

type Call<Request, Report> = (request: Request, observer: RepoObserver) => Promise<Report>;

export interface RepoService {
  readonly index: Call<IndexRequest, IndexReport>;
  readonly doctor: Call<RepoRequest, DoctorReport>;
  readonly risk: Call<PathRequest, RiskReport>;
  readonly neighbors: Call<NeighborsRequest, readonly Related[]>;
  readonly decisions: Call<DecisionsRequest, readonly Decision[]>;
  readonly explain: Call<PathRequest, ExplainReport>;
  readonly safe: Call<PathRequest, SafeReport>;
  readonly plan: Call<PathRequest, PlanReport>;
  readonly verify: Call<VerifyRequest, VerifyReport>;
  readonly taskStart: Call<TaskStartRequest, TaskStatus>;
  readonly taskShow: Call<RepoRequest, TaskStatus>;
  readonly taskClear: Call<RepoRequest, TaskCleared>;
}

export function createRepoService(powers: RepoPowers): RepoService {
  return {
    index: (request, observer) => index(powers, request, observer),
    doctor: (request, observer) => doctor(powers, request, observer),
    risk: (request, observer) =>
      withRepository(powers, request, observer, async ({ view, file }) =>
        required(riskOf(view, await file(request.path)), request.path),
      ),
    neighbors: (request, observer) =>
      withRepository(powers, request, observer, async ({ view, file }) =>
        relatedFiles(view, await file(request.path), request.limit),
      ),
    decisions: (request, observer) => decisions(powers, request, observer),
    explain: fileReport(powers, explainReport),
    safe: fileReport(powers, safeReport),
    plan: fileReport(powers, planReport),
    verify: (request, observer) => verifyChange(powers, request, observer),
    taskStart: (request, observer) => taskStart(powers, request, observer),
    taskShow: (request, observer) => taskShow(powers, request, observer),
    taskClear: (request, observer) => taskClear(powers, request, observer),
  };
}

function fileReport<Report>(
  powers: RepoPowers,
  report: (context: ReportContext, path: string) => Report | Promise<Report>,
): Call<PathRequest, Report> {
  return (request, observer) =>
    withRepository(powers, request, observer, async (session) => {
      const path = await session.file(request.path);
      return report(await gather(powers, observer, session), path);
    });
}

/** Between two lines on how the reading goes. */
const PROGRESS_COMMITS = 10_000;

async function index(
  powers: RepoPowers,
  request: IndexRequest,
  observer: RepoObserver,
): Promise<IndexReport> {
  const repository = await findRepository(
    powers.git,
    folderOfRequest(powers, request),
    powers.home,
  );
  const onProgress = (commits: number) => {
    if (commits % PROGRESS_COMMITS === 0) observer.detail(`${commits} commits read`);
  };
  const hint = "the index is as it was; run it again: pallium index";
  const outcome = await interruptible(observer, hint, (signal) =>
    indexRepository(powers, repository, { full: request.full ?? false, signal, onProgress }),
  );
  const written = await openIndex(repository);
  if (written === undefined) throw new Error("the index was written and cannot be opened");
  try {
    return indexReport(repository.canonicalRoot, written, outcome);
  } finally {
    written.close();
  }
}

async function decisions(
  powers: RepoPowers,
  { words, limit }: DecisionsRequest,
  observer: RepoObserver,
): Promise<readonly Decision[]> {
  const last = words.length > 1 ? words.at(-1) : undefined;
  const isFolder =
    last !== undefined && (await isDirectory(folderOfRequest(powers, { repo: last })));
  const question = (isFolder ? words.slice(0, -1) : words).join(" ").trim();
  if (question === "") {
    throw usageError("missing required argument: query", 'pallium decisions "<question>"');
  }
  const request = isFolder ? { repo: last } : {};
  return withRepository(powers, request, observer, ({ open, view }) =>
    searchDecisions(powers.git, open.repository.root, view.index, question, limit),
  );
}

async function doctor(
  powers: RepoPowers,
  request: RepoRequest,
  { notice }: RepoObserver,
): Promise<DoctorReport> {
  const { environment } = powers;
  using open = await openRepository(powers, folderOfRequest(powers, request), notice);
  const { OPENAI_API_KEY, OPENAI_ADMIN_API_KEY } = environment.variables;
  return doctorReport({
    ...open,
    home: powers.home,
    hasOpenAiKey: Boolean(OPENAI_API_KEY || OPENAI_ADMIN_API_KEY),
    executable: environment.self.at(-1) ?? "",
  });
}

async function verifyChange(
  powers: RepoPowers,
  request: VerifyRequest,
  observer: RepoObserver,
): Promise<VerifyReport> {
  const { tier, base, timeout, command, keep_going = false, dry_run = false } = request;
  const input = {
    tier: tierOf(tier),
    keepGoing: keep_going,
    dryRun: dry_run,
    ...(base === undefined ? {} : { base }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    ...(command === undefined ? {} : { command }),
  };
  return withRepository(powers, request, observer, async (session) =>
    verify(powers, observer, session.open, await gather(powers, observer, session), input),
  );
}

function required<T>(report: T | undefined, path: string): T {
  if (report !== undefined) return report;
  throw new PalliumError("path_unknown", `nothing is known of ${path}`, {
    hints: ["pallium index"],
  });
}
