/** Repo memory as operations call it. */
import type { Related } from "./analysis/related.ts";
import type { RiskReport } from "./analysis/risk.ts";
import type { Decision } from "./decisions/search.ts";
import { interruptible } from "./interruptible.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import {
  aboutFile,
  aboutRange,
  changedNow,
  decisions,
  neighbors,
  preflight,
  risk,
  verifyChange,
} from "./questions.ts";
import type { DoctorReport } from "./reports/doctor.ts";
import type { IndexReport } from "./reports/index-report.ts";
import type { MapReport } from "./reports/map.ts";
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
import type { TaskCleared } from "./tasks.ts";
import type { VerifyReport } from "./verify.ts";

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
    index: call(
      loaded(async () => (await import("./maintenance.ts")).index),
      "the index is as it was; run it again: pallium index",
    ),
    doctor: call(loaded(async () => (await import("./maintenance.ts")).doctor)),
    risk: call(risk),
    neighbors: call(neighbors),
    decisions: call(decisions),
    explain: call(aboutFile(async () => (await import("./reports/explain.ts")).explainReport)),
    safe: call(aboutFile(async () => (await import("./reports/safe.ts")).safeReport)),
    plan: call(aboutFile(async () => (await import("./reports/plan.ts")).planReport)),
    changedNow: call(changedNow),
    review: call(aboutRange(async () => (await import("./reports/review.ts")).reviewReport)),
    handoff: call(aboutRange(async () => (await import("./reports/handoff.ts")).handoffReport)),
    preflight: call(preflight),
    verify: call(verifyChange, "run it again: pallium verify"),
    map: call(loaded(async () => (await import("./draw-map.ts")).drawMap)),
    score: call(
      loaded(async () => (await import("./maintenance.ts")).score),
      "nothing was changed; run it again: pallium score",
    ),
    taskStart: call(loaded(async () => (await import("./tasks.ts")).taskStart)),
    taskShow: call(loaded(async () => (await import("./tasks.ts")).taskShow)),
    taskClear: call(loaded(async () => (await import("./tasks.ts")).taskClear)),
  };
}

/** Work that loads when it is asked for. */
function loaded<Request, Report>(
  load: () => Promise<Work<Request, Report>>,
): Work<Request, Report> {
  return async (...asked) => (await load())(...asked);
}
