/**
 * Commands that answer a question about a repository. What works out an answer loads while git is at
 * work, which is begun at once.
 */
import { PalliumError, usageError } from "../lib/errors.ts";
import { isDirectory } from "../platform/files.ts";
import type { Related } from "./analysis/related.ts";
import type { RiskReport } from "./analysis/risk.ts";
import type { Decision } from "./decisions/search.ts";
import type { Repository } from "./identity.ts";
import { pathUnknown } from "./paths.ts";
import type { RecordedDecision, RepoObserver, RepoPowers } from "./powers.ts";
import type { ReportContext } from "./reports/context.ts";
import type { ReviewInput } from "./reports/review.ts";
import { baseAndRepo } from "./reports/review-arguments.ts";
import { commitOf } from "./reports/review-base.ts";
import { beginRange } from "./reports/review-range.ts";
import type { ChangedNowReport, PreflightReport } from "./reports/shapes.ts";
import type {
  DecisionsRequest,
  NeighborsRequest,
  PathRequest,
  PreflightRequest,
  RepoRequest,
  ReviewRequest,
  VerifyRequest,
} from "./requests.ts";
import { scopeBase } from "./scope-base.ts";
import type { VerifyReport } from "./verify.ts";
import {
  type EarlySession,
  folderOfRequest,
  type RepoSession,
  withRepository,
} from "./with-repository.ts";

/** Work with all that reports look at. */
export function withContext<T>(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
  work: (context: ReportContext, session: RepoSession) => Promise<T> | T,
  needsIndex: boolean,
): Promise<T> {
  const loading = import("./gather.ts");
  return withRepository(
    powers,
    request,
    observer,
    async (session) => work(await (await loading).gather(powers, observer, session), session),
    { needsIndex },
  );
}

/** Answers while git looks at the working tree, and again where that is not as it was committed. */
function answerEarly<T>(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
  answer: (session: Pick<EarlySession, "view" | "file">) => Promise<T>,
): Promise<T> {
  return withRepository(
    powers,
    request,
    observer,
    async (session, early) => early ?? answer(session),
    { early: { begin: answer } },
  );
}

type ReportOn<Input, Report> = (context: ReportContext, input: Input) => Promise<Report> | Report;

/** A question, which its powers answer. */
type Question<Request, Report> = (
  powers: RepoPowers,
  request: Request,
  observer: RepoObserver,
) => Promise<Report>;

/**
 * A question about one file. It throws `path_unknown` and the like, `not_indexed`.
 * @param load the report, which is not needed before git has read the working tree.
 */
export function aboutFile<Report>(
  load: () => Promise<ReportOn<string, Report>>,
): Question<PathRequest, Report> {
  return (powers, request, observer) => {
    const loading = load();
    return withContext(
      powers,
      request,
      observer,
      async (context, { file }) => (await loading)(context, await file(request.path)),
      true,
    );
  };
}

/** A question about a change, loaded as for `aboutFile`. It throws `bad_ref`, `base_unknown`. */
export function aboutRange<Report>(
  load: () => Promise<ReportOn<ReviewInput, Report>>,
): Question<ReviewRequest, Report> {
  return async (powers, { words, staged }, observer) => {
    const loading = load();
    const { base, notice, ...request } = await baseAndRepo(words, {
      isFolder: (word) => isDirectory(folderOfRequest(powers, { repo: word })),
      isRevision: async (word) =>
        (await commitOf(powers.git, powers.environment.cwd, word)) !== undefined,
    });
    if (notice !== undefined) observer.notice(notice);
    const folder = folderOfRequest(powers, request);
    const begun = staged === true ? undefined : beginRange(powers.git, folder, base);
    void Promise.allSettled([begun]);
    const input = {
      ...(base === undefined ? {} : { base }),
      ...(staged === undefined ? {} : { staged }),
      ...(begun === undefined ? {} : { begun }),
    };
    const answer = async (context: ReportContext) => (await loading)(context, input);
    return withContext(powers, request, observer, answer, false);
  };
}

/** @throws PalliumError as `aboutFile`. */
export function risk(
  powers: RepoPowers,
  request: PathRequest,
  observer: RepoObserver,
): Promise<RiskReport> {
  const loading = import("./analysis/risk.ts");
  return answerEarly(powers, request, observer, async ({ view, file }) => {
    const path = await file(request.path);
    const report = (await loading).riskOf(view, path);
    if (report === undefined) throw pathUnknown(path);
    return report;
  });
}

/** @throws PalliumError as `aboutFile`. */
export function neighbors(
  powers: RepoPowers,
  request: NeighborsRequest,
  observer: RepoObserver,
): Promise<readonly Related[]> {
  const loading = import("./analysis/related.ts");
  return answerEarly(powers, request, observer, async ({ view, file }) =>
    (await loading).relatedFiles(view, await file(request.path), request.limit),
  );
}

/** What is not committed; works without an index, then knowing little of each file. */
export function changedNow(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
): Promise<ChangedNowReport> {
  const loading = import("./reports/changed-now.ts");
  const answer = async (context: ReportContext) => (await loading).changedNow(context);
  return withContext(powers, request, observer, answer, false);
}

/** @throws PalliumError `usage`, those of `parseScope`. */
export function preflight(
  powers: RepoPowers,
  { task, scope, ...request }: PreflightRequest,
  observer: RepoObserver,
): Promise<PreflightReport> {
  if (task.trim() === "") {
    throw usageError(
      "usage: pallium workflow preflight <task> [--scope path] [--cwd repo-path]",
      'say what is to be done: pallium workflow preflight "<task>"',
    );
  }
  const loading = import("./reports/preflight.ts");
  return withContext(
    powers,
    request,
    observer,
    async (context, { open, view }) => {
      const base = scopeBase(powers.environment.cwd, open.repository.root, view.files);
      return (await loading).preflightReport(context, { task, scope, base });
    },
    false,
  );
}

/** @throws PalliumError `usage`, `not_indexed`. */
export async function decisions(
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
  const loading = import("./decisions/search.ts");
  let recorded: Promise<readonly RecordedDecision[]> | undefined;
  const search = async ({ repository, view }: Pick<EarlySession, "repository" | "view">) =>
    (await loading).searchDecisions(powers.git, repository.root, view.index, {
      question,
      limit,
      recorded(stems) {
        recorded ??= recordedDecisions(powers, repository, stems, observer);
        return recorded;
      },
    });
  return withRepository(
    powers,
    request,
    observer,
    async ({ open: { repository }, view }, early) => early ?? search({ repository, view }),
    { early: { begin: search, ofHistory: true } },
  );
}

/** Commit messages answer the question where the record cannot be read. */
async function recordedDecisions(
  powers: RepoPowers,
  { root, canonicalRoot }: Repository,
  words: readonly string[],
  { warn }: RepoObserver,
): Promise<readonly RecordedDecision[]> {
  if (powers.recordedDecisions === undefined) return [];
  try {
    return await powers.recordedDecisions({ folders: [...new Set([root, canonicalRoot])], words });
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    warn(`recorded decisions were not read: ${error.message}`);
    return [];
  }
}

/** @throws PalliumError `no_verification_command`, `not_indexed`, and as `verify`. */
export async function verifyChange(
  powers: RepoPowers,
  request: VerifyRequest,
  observer: RepoObserver,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const [{ verify }, { tierOf }] = await Promise.all([
    import("./verify.ts"),
    import("./verification/plan.ts"),
  ]);
  const { tier, base, timeout, command, keep_going = false, dry_run = false } = request;
  const input = {
    tier: tierOf(tier),
    keepGoing: keep_going,
    dryRun: dry_run,
    ...(base === undefined ? {} : { base }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    ...(command === undefined ? {} : { command }),
  };
  return withContext(
    powers,
    request,
    observer,
    (context, { open }) => verify(powers, observer, open, context, input, signal),
    true,
  );
}
