/** Whether the tests that changed with a source are among those named for it beforehand. */
import { isSource } from "../analysis/source-files.ts";
import { suggestTests } from "../analysis/test-choice.ts";
import { isTestFile } from "../analysis/test-files.ts";
import { pairStem } from "../analysis/test-pairing.ts";
import type { RepoView } from "../analysis/view.ts";
import type { LaterCommit } from "./later-commits.ts";
import { meanOf, precisionAt, recallAt } from "./measures.ts";
import { type CommitValues, coChangeCounts, type Ranker } from "./score-related.ts";

const LARGEST = 20;
const ANSWERS = 4;

/** What each ranker would have said with the knowledge of a view; ours first. */
export function testRankers(view: RepoView): ReadonlyMap<string, Ranker> {
  const byStem = Map.groupBy([...view.files.paths].filter(isTestFile).toSorted(), pairStem);
  return new Map<string, Ranker>([
    ["pallium", (path) => suggestTests(view, path, ANSWERS).map((test) => test.path)],
    ["same stem", (path) => (byStem.get(pairStem(path)) ?? []).slice(0, ANSWERS)],
    ["co-change count", (path) => coChangeCounts(view, path).filter(isTestFile).slice(0, ANSWERS)],
  ]);
}

export interface TestCase {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** The sources and tests of a commit that were there before; `undefined` where either is missing. */
export function testCase(view: RepoView, { size, files }: LaterCommit): TestCase | undefined {
  if (size > LARGEST) return undefined;
  const known = files.filter((path) => view.files.paths.has(path));
  const tests = known.filter(isTestFile);
  const sources = known.filter(isSource);
  return tests.length === 0 || sources.length === 0 ? undefined : { sources, tests };
}

/** @param asked those of the sources that the ranker is asked about. */
export function scoreTests(
  tests: readonly string[],
  asked: readonly string[],
  rank: Ranker,
): CommitValues {
  const wanted = new Set(tests);
  const answers = asked.map((source) => {
    const answer = rank(source);
    const recall = recallAt(answer, wanted, ANSWERS);
    const precision = precisionAt(answer, wanted, ANSWERS);
    return {
      recall,
      precision,
      f1: recall === 0 ? 0 : (2 * recall * precision) / (recall + precision),
    };
  });
  return {
    "recall at 4": meanOf(answers.map(({ recall }) => recall)),
    "precision at 4": meanOf(answers.map(({ precision }) => precision)),
    "F1 at 4": meanOf(answers.map(({ f1 }) => f1)),
  };
}
