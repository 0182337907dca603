/** Repo memory as operations call it. */
import { type Related, relatedFiles } from "./analysis/related.ts";
import { type RiskReport, riskOf } from "./analysis/risk.ts";
import type { Decision } from "./decisions/search.ts";
import { drawMap } from "./draw-map.ts";
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
import { changedNowReport } from "./reports/changed-now.ts";
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

/** Each call opens the repository it is about, and closes it. */
export function createRepoService(powers: RepoPowers): RepoService {
  return {
    index: (request, observer) => index(powers, request, observer),
    doctor: (request, observer) => doctor(powers, request, observer),
    risk: (request, observer) =>
      withRepository(powers, request, observer, async ({ view, file }) => {
        const path = await file(request.path);
        const report = riskOf(view, path);
        if (report === undefined) throw pathUnknown(path);
        return report;
      }),
    neighbors: (request, observer) =>
      withRepository(powers, request, observer, async ({ view, file }) =>
        relatedFiles(view, await file(request.path), request.limit),
      ),
    decisions: (request, observer) => decisions(powers, request, observer),
    explain: (request, observer) => aboutFile(powers, request, observer, explainReport),
    safe: (request, observer) => aboutFile(powers, request, observer, safeReport),
    plan: (request, observer) => aboutFile(powers, request, observer, planReport),
    changedNow: (request, observer) =>
      withContext(powers, request, observer, changedNowReport, false),
    review: (request, observer) => aboutRange(powers, request, observer, reviewReport),
    handoff: (request, observer) => aboutRange(powers, request, observer, handoffReport),
    preflight: (request, observer) => preflight(powers, request, observer),
    verify: (request, observer) => verifyChange(powers, request, observer),
    map: (request, observer) => drawMap(powers, request, observer),
    score: (request, observer) => score(powers, request, observer),
    taskStart: (request, observer) => taskStart(powers, request, observer),
    taskShow: (request, observer) => taskShow(powers, request, observer),
    taskClear: (request, observer) => taskClear(powers, request, observer),
  };
}
