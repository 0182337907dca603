/** Whether the files that changed with one are among those named for it beforehand. */
import { byPath } from "../../lib/by-text.ts";
import { folderOf } from "../../lib/slash-path.ts";
import { relatedFiles } from "../analysis/related.ts";
import type { RepoView } from "../analysis/view.ts";
import { findFile, touchedTogether, trackedFiles } from "../history/queries.ts";
import type { LaterCommit } from "./later-commits.ts";
import { meanOf, recallAt, reciprocalRank } from "./measures.ts";

/** Names the files that belong to one, the likeliest first. */
export type Ranker = (path: string) => readonly string[];

/** Values of one commit by the name of the measure: means over the files that were asked for. */
export type CommitValues = Readonly<Record<string, number>>;

const SMALLEST = 2;
const LARGEST = 20;
const ANSWERS = 10;

/** What each ranker would have said with the knowledge of a view; ours first. */
export function relatedRankers(view: RepoView): ReadonlyMap<string, Ranker> {
  const byChurn = trackedFiles(view.index, view.now)
    .toSorted((a, b) => b.churn - a.churn)
    .map(({ path }) => path);
  const first = (path: string, isWanted: (other: string) => boolean) =>
    byChurn.values().filter((other) => other !== path && isWanted(other));
  return new Map<string, Ranker>([
    ["pallium", (path) => relatedFiles(view, path, ANSWERS).map((related) => related.path)],
    [
      "same folder",
      (path) => [...first(path, (other) => folderOf(other) === folderOf(path)).take(ANSWERS)],
    ],
    ["most churned", (path) => [...first(path, () => true).take(ANSWERS)]],
    ["co-change count", (path) => coChangeCounts(view, path).slice(0, ANSWERS)],
  ]);
}

/** Files that are still there by how often they changed with one, whatever else is known. */
export function coChangeCounts(view: RepoView, path: string): readonly string[] {
  const file = findFile(view.index, path, view.now);
  if (file === undefined) return [];
  return touchedTogether(view.index, file.id, view.now)
    .others.filter((row) => row.isTracked)
    .toSorted((a, b) => b.count - a.count || byPath(a, b))
    .map((row) => row.path);
}

/** The files of a commit that can be asked for: those that were there before, if there are two. */
export function relatedCase(view: RepoView, { size, files }: LaterCommit): readonly string[] {
  if (size < SMALLEST || size > LARGEST) return [];
  const known = files.filter((path) => view.files.paths.has(path));
  return known.length < SMALLEST ? [] : known;
}

/** @param asked those of the files that the ranker is asked about. */
export function scoreRelated(
  files: readonly string[],
  asked: readonly string[],
  rank: Ranker,
): CommitValues {
  const answers = asked.map((path) => ({
    answer: rank(path),
    wanted: new Set(files.filter((other) => other !== path)),
  }));
  return {
    "recall at 5": meanOf(answers.map(({ answer, wanted }) => recallAt(answer, wanted, 5))),
    "recall at 10": meanOf(answers.map(({ answer, wanted }) => recallAt(answer, wanted, 10))),
    "reciprocal rank": meanOf(answers.map(({ answer, wanted }) => reciprocalRank(answer, wanted))),
  };
}
