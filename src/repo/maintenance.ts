/** Commands about what pallium keeps of a repository. */
import { openIndex } from "./history/present-index.ts";
import { findRepository } from "./identity.ts";
import { indexRepository } from "./index-repository.ts";
import { openRepository } from "./open-repository.ts";
import type { RepoObserver, RepoPowers, SessionMemory } from "./powers.ts";
import { type DoctorReport, doctorReport } from "./reports/doctor.ts";
import { type IndexReport, indexReport } from "./reports/index-report.ts";
import type { IndexRequest, RepoRequest, ScoreRequest } from "./requests.ts";
import { type ScoreReport, scoreRepository } from "./score/score-repository.ts";
import { folderOfRequest } from "./with-repository.ts";

/** Where nobody remembers sessions. */
const NO_MEMORY: SessionMemory = { path: "", embedding_model: "" };

/** Between two lines on how the reading goes. */
const PROGRESS_COMMITS = 10_000;

/** @throws PalliumError as `indexRepository`, and what `signal` was aborted with. */
export async function index(
  powers: RepoPowers,
  request: IndexRequest,
  observer: RepoObserver,
  signal: AbortSignal,
): Promise<IndexReport> {
  const folder = folderOfRequest(powers, request);
  const repository = await findRepository(powers.git, folder, powers.home);
  const onProgress = (commits: number) => {
    if (commits % PROGRESS_COMMITS === 0) observer.detail(`${commits} commits read`);
  };
  const options = { full: request.full ?? false, signal, onProgress };
  const outcome = await indexRepository(powers, repository, options);
  using written = await openIndex(repository);
  if (written === undefined) throw new Error("the index was written and cannot be opened");
  return indexReport(repository.canonicalRoot, written, outcome);
}

/** @throws PalliumError those of `openRepository`. */
export async function doctor(
  powers: RepoPowers,
  request: RepoRequest,
  { notice }: RepoObserver,
): Promise<DoctorReport> {
  const { environment } = powers;
  using open = await openRepository(powers, folderOfRequest(powers, request), notice);
  const { OPENAI_API_KEY, OPENAI_ADMIN_API_KEY } = environment.variables;
  return await doctorReport({
    ...open,
    sessions: (await powers.sessionMemory?.()) ?? NO_MEMORY,
    hasOpenAiKey: Boolean(OPENAI_API_KEY || OPENAI_ADMIN_API_KEY),
    executable: environment.self.at(-1) ?? "",
  });
}

/** @throws PalliumError as `scoreRepository`, and what `signal` was aborted with. */
export async function score(
  powers: RepoPowers,
  request: ScoreRequest,
  observer: RepoObserver,
  signal: AbortSignal,
): Promise<ScoreReport> {
  const folder = folderOfRequest(powers, request);
  const repository = await findRepository(powers.git, folder, powers.home);
  const onProgress = (done: number, all: number) => observer.detail(`${done} of ${all} moments`);
  return scoreRepository(powers, repository, {
    commits: request.commits,
    timeLimitMs: request.time_limit * 1000,
    signal,
    onProgress,
  });
}
