/** The files of a change, each with what is known of it, the most important first. */
import { byPath } from "../../lib/by-text.ts";
import { boundaryLabels } from "../analysis/boundaries.ts";
import { levelOf } from "../analysis/risk.ts";
import { isTestFile } from "../analysis/test-files.ts";
import { isManifest, languageOf } from "../imports/language.ts";
import { isDocumentation } from "../verification/documentation.ts";
import type { ReportContext } from "./context.ts";
import { covers, type FileFacts, unknownFacts } from "./facts.ts";
import type { TouchedFile } from "./review-diff.ts";
import type { ReviewedFile } from "./shapes.ts";

/** Of a larger change only so many files are looked at closely, the most important ones. */
export const MOST_LOOKED_AT = 40;
const MOST_REASONS = 3;
const MOST_TESTS = 4;
const MOST_REACHED = 4;
/** So many files that use one make its edits a matter of others. */
const MANY_USERS = 10;

/** Folders whose sources are there for other sources. */
const NEEDS_NO_TESTS =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|samples?|demos?|playgrounds?|docs?|benchmarks?|bench|vendor|third[-_]party|node_modules|dist|build|migrations?|scripts?|tools?|bin|contrib)\/|\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|(?:^|\/)(?:__init__|conftest|setup)\.py$|(?:^|\/)(?:package|module)-info\.java$|\.(?:rake|gemspec|ru|h|hh|hpp|hxx|inc)$|(?:^|\/)[^./]+$|\.(?:pb|gen|generated)\.\w+$/;
/** Its tests are often inside the file, where nobody sees them from outside. */
const TESTS_INSIDE = "rust";

/** What tools write, so that nobody reads it line by line. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|packages\.lock\.json|go\.(?:work\.)?sum|bun\.lockb|[\w.-]*\.lock|[\w-]*-lock\.ya?ml)$/;

export interface Examined {
  readonly touched: TouchedFile;
  readonly facts: FileFacts;
  readonly labels: readonly string[];
  readonly isLookedAt: boolean;
  /** Whether behaviour may hang on it: documents and lock files are none. */
  readonly isCode: boolean;
  readonly needsReview: boolean;
  readonly needsTests: boolean;
  readonly priority: number;
}

const PRIORITY = {
  /** Out of scope, or with a secret. */
  grave: 100,
  notCommitted: 100,
  high: 50,
  medium: 25,
  unknown: 20,
  low: 0,
  boundary: 15,
  needsReview: 10,
  needsTests: 8,
} as const;

/**
 * @param grave paths out of scope, or with a secret: they come first.
 */
export function examine(
  context: ReportContext,
  touched: readonly TouchedFile[],
  grave: ReadonlySet<string>,
): readonly Examined[] {
  const levels = knownLevels(context, touched);
  const close = new Set(
    touched
      .map((file) => ({ file, weight: firstWeight(file, levels, grave) }))
      .sort((a, b) => b.weight - a.weight || byPath(a.file, b.file))
      .slice(0, MOST_LOOKED_AT)
      .map(({ file }) => file.path),
  );
  return touched
    .map((file) => {
      const isLookedAt = close.has(file.path);
      const facts = isLookedAt
        ? context.factsOf(file.path)
        : { ...unknownFacts(file.path), ...levels.get(file.path) };
      return examined(file, facts, isLookedAt, grave);
    })
    .sort((a, b) => b.priority - a.priority || byPath(a.touched, b.touched));
}

function examined(
  touched: TouchedFile,
  facts: FileFacts,
  isLookedAt: boolean,
  grave: ReadonlySet<string>,
): Examined {
  const labels = touched.status === "D" ? [] : boundaryLabels(touched.path);
  const isCode = !isDocumentation(touched.path) && !LOCK_FILE.test(touched.path);
  const needsReview =
    isCode &&
    (facts.level === "high" ||
      facts.level === "unknown" ||
      labels.length > 0 ||
      facts.usedBy.length >= MANY_USERS);
  const needsTests = isLookedAt && lacksTests(touched, facts);
  const priority =
    (grave.has(touched.path) ? PRIORITY.grave : 0) +
    (touched.source === "committed" ? 0 : PRIORITY.notCommitted) +
    (isCode ? PRIORITY[facts.level] : 0) +
    PRIORITY.boundary * labels.length +
    (needsReview ? PRIORITY.needsReview : 0) +
    (needsTests ? PRIORITY.needsTests : 0) +
    facts.blastRadius(MOST_REACHED).length;
  return { touched, facts, labels, isLookedAt, isCode, needsReview, needsTests, priority };
}

/**
 * Whether it is a source that tests should cover, and neither this change nor the repository has a
 * test of it: none that imports it, is named after it, or changed with it more than once.
 */
function lacksTests({ path, status }: TouchedFile, { tests, exists }: FileFacts): boolean {
  const language = languageOf(path);
  if (status === "D" || !exists || language === undefined || language === TESTS_INSIDE)
    return false;
  if (isTestFile(path) || isDocumentation(path) || isManifest(path)) return false;
  if (NEEDS_NO_TESTS.test(path)) return false;
  return !tests.some(covers);
}

/** A file as the report lists it, its lists cut to what somebody reads. */
export function reviewedFile({ touched, facts, ...examined }: Examined): ReviewedFile {
  const { path, status, oldPath, source } = touched;
  return {
    path,
    change_source: source,
    status,
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
    risk_level: facts.level,
    top_reasons: facts.reasons.slice(0, MOST_REASONS),
    suggested_tests: testsOf(facts),
    blast_radius: facts.blastRadius(MOST_REACHED),
    ...(examined.labels.length === 0 ? {} : { boundary_labels: examined.labels }),
    needs_review: examined.needsReview,
    needs_tests: examined.needsTests,
  };
}

/** Paths of the tests to name for a file, the most telling first, at most four. */
export function testsOf({ tests }: FileFacts): readonly string[] {
  return tests.slice(0, MOST_TESTS).map(({ path }) => path);
}

/** The best test of each file, then the second of each, and so on. */
export function testsInTurns(files: readonly Examined[]): readonly string[] {
  const lists = files.map(({ facts }) => testsOf(facts));
  const found = new Set<string>();
  for (let turn = 0; turn < MOST_TESTS; turn++) {
    for (const tests of lists) {
      const test = tests[turn];
      if (test !== undefined) found.add(test);
    }
  }
  return [...found];
}

type Level = Pick<FileFacts, "level" | "score">;

/** The risk of all files with one question to the index. */
function knownLevels(
  { view, freshness }: ReportContext,
  touched: readonly TouchedFile[],
): ReadonlyMap<string, Level> {
  if (freshness.index_status === "missing") return new Map();
  const rows = view.index.all<{ path: string; risk: number }>(
    "SELECT path, risk FROM files WHERE path IN (SELECT value FROM json_each(?))",
    JSON.stringify(touched.map(({ path }) => path)),
  );
  return new Map(
    rows
      .filter(({ path }) => view.files.paths.has(path))
      .map(({ path, risk }) => [path, { level: levelOf(risk), score: risk }]),
  );
}

function firstWeight(
  { path, source }: TouchedFile,
  levels: ReadonlyMap<string, Level>,
  grave: ReadonlySet<string>,
): number {
  return (
    (grave.has(path) ? PRIORITY.grave : 0) +
    (source === "committed" ? 0 : PRIORITY.notCommitted) +
    PRIORITY.boundary * boundaryLabels(path).length +
    (levels.get(path)?.score ?? 0)
  );
}
