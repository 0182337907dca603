/** Commands that answer a question about a repository. */
import { usageError } from "../lib/errors.ts";
import { isDirectory } from "../platform/files.ts";
import { type Decision, searchDecisions } from "./decisions/search.ts";
import { gather } from "./gather.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import type { ReportContext } from "./reports/context.ts";
import { preflightReport } from "./reports/preflight.ts";
import { baseAndRepo } from "./reports/review-arguments.ts";
import { commitOf } from "./reports/review-base.ts";
import type { PreflightReport } from "./reports/shapes.ts";
import type {
  DecisionsRequest,
  PathRequest,
  PreflightRequest,
  RepoRequest,
  ReviewRequest,
  VerifyRequest,
} from "./requests.ts";
import { scopeBase } from "./scope-base.ts";
import { tierOf } from "./verification/plan.ts";
import { type VerifyReport, verify } from "./verify.ts";
import { folderOfRequest, type RepoSession, withRepository } from "./with-repository.ts";

/** Work with all that reports look at. */
export function withContext<T>(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
  work: (context: ReportContext, session: RepoSession) => Promise<T> | T,
  needsIndex: boolean,
): Promise<T> {
  return withRepository(
    powers,
    request,
    observer,
    async (session) => work(await gather(powers, observer, session), session),
    needsIndex,
  );
}

/** @throws PalliumError `path_unknown` and the like, `not_indexed`. */
export function aboutFile<Report>(
  powers: RepoPowers,
  request: PathRequest,
  observer: RepoObserver,
  report: (context: ReportContext, path: string) => Promise<Report> | Report,
): Promise<Report> {
  return withContext(
    powers,
    request,
    observer,
    async (context, { file }) => report(context, await file(request.path)),
    true,
  );
}

/** @throws PalliumError `bad_ref`, `base_unknown`. */
export async function aboutRange<Report>(
  powers: RepoPowers,
  { words, staged }: ReviewRequest,
  observer: RepoObserver,
  report: (
    context: ReportContext,
    input: { readonly base?: string; readonly staged?: boolean },
  ) => Promise<Report>,
): Promise<Report> {
  const { base, notice, ...request } = await baseAndRepo(words, {
    isFolder: (word) => isDirectory(folderOfRequest(powers, { repo: word })),
    isRevision: async (word) =>
      (await commitOf(powers.git, powers.environment.cwd, word)) !== undefined,
  });
  if (notice !== undefined) observer.notice(notice);
  const input = {
    ...(base === undefined ? {} : { base }),
    ...(staged === undefined ? {} : { staged }),
  };
  return withContext(powers, request, observer, (context) => report(context, input), false);
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
  return withContext(
    powers,
    request,
    observer,
    (context, { open, view }) => {
      const base = scopeBase(powers.environment.cwd, open.repository.root, view.files);
      return preflightReport(context, { task, scope, base });
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
  return withRepository(powers, request, observer, ({ open, view }) =>
    searchDecisions(powers.git, open.repository.root, view.index, question, limit),
  );
}

/** @throws PalliumError `no_verification_command`, `not_indexed`, and as `verify`. */
export async function verifyChange(
  powers: RepoPowers,
  request: VerifyRequest,
  observer: RepoObserver,
  signal: AbortSignal,
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
  return withContext(
    powers,
    request,
    observer,
    (context, { open }) => verify(powers, observer, open, context, input, signal),
    true,
  );
}
