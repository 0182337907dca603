/**
 * How good the answers about a repository are, measured on its own history: at earlier commits it is
 * asked with what was known then, and the answers are held against what came next.
 */
import { isoTime } from "../../lib/iso-time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { RepoView } from "../analysis/view.ts";
import type { Repository } from "../identity.ts";
import { commitsBetween, type LaterCommit, mainLine } from "./later-commits.ts";
import { compare, drawResamples, type MeasureScore, resampledMean } from "./measures.ts";
import { openPast } from "./past.ts";
import { type PlanOptions, planSpans } from "./plan.ts";
import { sample, seededRandom } from "./random.ts";
import { type CommitValues, relatedCase, relatedRankers, scoreRelated } from "./score-related.ts";
import { isTelling, type RiskCase, riskCases, scoreRisk } from "./score-risk.ts";
import { scoreTests, testCase, testRankers } from "./score-tests.ts";

export interface ScoreOptions extends Partial<PlanOptions> {
  /** Commits of the main line that are passed over first; 0 by default. */
  readonly skip?: number;
  /** After so long no further commits are asked about; 25,000 by default. */
  readonly timeLimitMs?: number;
  readonly signal?: AbortSignal;
  /** Called with how many of how many moments are done. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** What was measured of one kind of answer. */
export interface ScoredPart {
  /** How many commits were asked about; of risk, how many files were fixed. */
  readonly cases: number;
  /** Empty where the history holds no cases. */
  readonly measures: readonly MeasureScore[];
}

export interface ScoreReport {
  readonly repo_root: string;
  /** The latest commit that was looked at. */
  readonly head: string;
  /** From where to where the history was asked about, UTC; empty where it was not. */
  readonly from: string;
  readonly to: string;
  /** Whether all was asked that should be, within the time limit. */
  readonly is_complete: boolean;
  readonly related: ScoredPart;
  readonly tests: ScoredPart;
  readonly risk: ScoredPart;
}

const MOST_COMMITS = 30_000;
const DEFAULT_COMMITS = 300;
const DEFAULT_WINDOWS = 2;
const DEFAULT_TIME_LIMIT_MS = 25_000;
/** Of the commits between two moments so many are asked about, and of each so many files. */
const MOST_PER_SPAN = 20;
const MOST_ASKED = 5;
const SEED = 20_261_202;

/** Values of each ranker, one per commit; the rankers in their order, ours first. */
type Collected = Map<string, CommitValues[]>;

interface Collection {
  readonly related: Collected;
  readonly tests: Collected;
  readonly windows: (readonly RiskCase[])[];
  readonly random: () => number;
}

/**
 * Leaves the repository and its index alone; works in a temporary folder.
 * @throws PalliumError `git_failed`, `disk_full`; what `signal` was aborted with.
 */
export async function scoreRepository(
  { git, clock }: { readonly git: Git; readonly clock: Clock },
  repository: Repository,
  options: ScoreOptions = {},
): Promise<ScoreReport> {
  const { skip = 0, commits = DEFAULT_COMMITS, windows = DEFAULT_WINDOWS } = options;
  const whole = await mainLine(git, repository.root, MOST_COMMITS);
  const line = whole.slice(0, Math.max(0, whole.length - skip));
  const spans = planSpans(line, { commits, windows });
  const collection = emptyCollection();
  const end = clock.monotonicMs() + (options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS);
  await using past = await openPast(git, repository);
  let done = 0;
  for (const span of spans) {
    options.signal?.throwIfAborted();
    if (done > 0 && clock.monotonicMs() > end) break;
    const view = await past.at(span.from);
    const later = await commitsBetween(git, past, span.from, span.to);
    if (span.kind === "risk") collection.windows.push(riskCases(view, later));
    else askAbout(view, later, collection);
    done += 1;
    options.onProgress?.(done, spans.length);
  }
  return {
    repo_root: repository.root,
    head: line.at(-1)?.hash ?? "",
    from: timeOf(spans[0]?.from.committedAt),
    to: timeOf(spans[done - 1]?.to.committedAt),
    is_complete: done === spans.length,
    ...summary(collection),
  };
}

function emptyCollection(): Collection {
  return { related: new Map(), tests: new Map(), windows: [], random: seededRandom(SEED) };
}

function askAbout(
  view: RepoView,
  later: readonly LaterCommit[],
  { related, tests, random }: Collection,
): void {
  const cases = later.flatMap((commit) => {
    const [files, test] = [relatedCase(view, commit), testCase(view, commit)];
    return files.length > 0 || test !== undefined ? [{ files, test }] : [];
  });
  const [relatedBy, testsBy] = [relatedRankers(view), testRankers(view)];
  for (const { files, test } of sample(cases, MOST_PER_SPAN, random)) {
    if (files.length > 0) {
      const asked = sample(files, MOST_ASKED, random);
      collect(related, relatedBy, (rank) => scoreRelated(files, asked, rank));
    }
    if (test !== undefined) {
      const asked = sample(test.sources, MOST_ASKED, random);
      collect(tests, testsBy, (rank) => scoreTests(test.tests, asked, rank));
    }
  }
}

function collect<Ranker>(
  into: Collected,
  rankers: ReadonlyMap<string, Ranker>,
  score: (rank: Ranker) => CommitValues,
): void {
  for (const [name, rank] of rankers) {
    const values = into.get(name) ?? [];
    values.push(score(rank));
    into.set(name, values);
  }
}

function summary({
  related,
  tests,
  windows,
}: Collection): Pick<ScoreReport, "related" | "tests" | "risk"> {
  const telling = windows.filter(isTelling);
  const fixed = telling.flat().filter(({ wasFixed }) => wasFixed).length;
  return {
    related: scoredPart(related),
    tests: scoredPart(tests),
    risk: { cases: fixed, measures: telling.length === 0 ? [] : scoreRisk(telling) },
  };
}

function scoredPart(collected: Collected): ScoredPart {
  const [some = []] = collected.values();
  const draws = drawResamples(some.length);
  const measures = Object.keys(some[0] ?? {}).map((measure) =>
    compare(
      measure,
      [...collected].map(([ranker, commits]) => {
        const values = commits.map((commit) => commit[measure] ?? 0);
        return resampledMean(ranker, values, draws);
      }),
    ),
  );
  return { cases: some.length, measures };
}

function timeOf(seconds: number | undefined): string {
  return seconds === undefined ? "" : isoTime(seconds);
}
