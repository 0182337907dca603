/** Repo memory as operations call it. */
import { type Related, relatedFiles } from "./analysis/related.ts";
import { type RiskReport, riskOf } from "./analysis/risk.ts";
import type { Decision } from "./decisions/search.ts";
import { drawMap } from "./draw-map.ts";
import { interruptible } from "./interruptible.ts";
import { doctor, index, score } from "./maintenance.ts";
import { pathUnknown } from "./paths.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import {
  aboutFile,
  aboutRange,
  decisions,
  preflight,
  verifyChange,
  withContext,
} from "./questions.ts";
import { changedNow } from "./reports/changed-now.ts";
import type { DoctorReport } from "./reports/doctor.ts";
import { explainReport } from "./reports/explain.ts";
import { handoffReport } from "./reports/handoff.ts";
import type { IndexReport } from "./reports/index-report.ts";
import type { MapReport } from "./reports/map.ts";
import { planReport } from "./reports/plan.ts";
import { reviewReport } from "./reports/review.ts";
import { safeReport } from "./reports/safe.ts";
import type {
  ChangedNowReport,
  ExplainReport,
  HandoffReport,
  PlanReport,
  PreflightReport,
  ReviewReport,
  SafeReport,
} from "./reports/shapes.ts";
import type { TaskStatus } from "./reports/task-status.ts";
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
} from "./requests.ts";
import type { ScoreReport } from "./score/score-repository.ts";
import { type TaskCleared, taskClear, taskShow, taskStart } from "./tasks.ts";
import type { VerifyReport } from "./verify.ts";
import { withRepository } from "./with-repository.ts";

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
  readonly changedNow: Call<RepoRequest, ChangedNowReport>;
  readonly review: Call<ReviewRequest, ReviewReport>;
  readonly handoff: Call<RangeRequest, HandoffReport>;
  readonly preflight: Call<PreflightRequest, PreflightReport>;
  readonly verify: Call<VerifyRequest, VerifyReport>;
  readonly map: Call<MapRequest, MapReport>;
  readonly score: Call<ScoreRequest, ScoreReport>;
  readonly taskStart: Call<TaskStartRequest, TaskStatus>;
  readonly taskShow: Call<RepoRequest, TaskStatus>;
  readonly taskClear: Call<RepoRequest, TaskCleared>;
}

/** What is done for one call; an abort of the signal ends it, and the git of the powers with it. */
type Work<Request, Report> = (
  powers: RepoPowers,
  request: Request,
  observer: RepoObserver,
  signal: AbortSignal,
) => Promise<Report>;

/** Each call opens the repository it is about, and closes it; Ctrl-C ends it. */
export function createRepoService(powers: RepoPowers): RepoService {
  function call<Request, Report>(
    work: Work<Request, Report>,
    afterInterrupt = "run the command again",
  ): Call<Request, Report> {
    return (request, observer) =>
      interruptible(powers, observer, afterInterrupt, (own, signal) =>
        work(own, request, observer, signal),
      );
  }
  return {
    index: call(index, "the index is as it was; run it again: pallium index"),
    doctor: call(doctor),
    risk: call((own, request, observer) =>
      withRepository(own, request, observer, async ({ view, file }) => {
        const path = await file(request.path);
        const report = riskOf(view, path);
        if (report === undefined) throw pathUnknown(path);
        return report;
      }),
    ),
    neighbors: call((own, request, observer) =>
      withRepository(own, request, observer, async ({ view, file }) =>
        relatedFiles(view, await file(request.path), request.limit),
      ),
    ),
    decisions: call(decisions),
    explain: call((own, request, observer) => aboutFile(own, request, observer, explainReport)),
    safe: call((own, request, observer) => aboutFile(own, request, observer, safeReport)),
    plan: call((own, request, observer) => aboutFile(own, request, observer, planReport)),
    changedNow: call((own, request, observer) =>
      withContext(own, request, observer, changedNow, false),
    ),
    review: call((own, request, observer) => aboutRange(own, request, observer, reviewReport)),
    handoff: call((own, request, observer) => aboutRange(own, request, observer, handoffReport)),
    preflight: call(preflight),
    verify: call(verifyChange, "run it again: pallium verify"),
    map: call(drawMap),
    score: call(score, "nothing was changed; run it again: pallium score"),
    taskStart: call(taskStart),
    taskShow: call(taskShow),
    taskClear: call(taskClear),
  };
}
