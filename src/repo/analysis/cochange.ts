/** Which files history saw change together with one. */
import { type FileRow, touchedTogether } from "../history/queries.ts";
import type { RepoView } from "./view.ts";

/** A file that was touched together with another. */
export interface Companion {
  /** Commits that touched both. */
  readonly count: number;
  /** The same, each counting the less the older it is. */
  readonly weight: number;
  /** As `weight`, each counting the less the more files it touched. */
  readonly focus: number;
}

export interface CoChange {
  /** Commits of the file that count: those that did not touch too many files. */
  readonly support: number;
  /** What they add up to, as `Companion.focus`. */
  readonly focus: number;
  /** What is still there of the files that they touched too, by path. */
  readonly companions: ReadonlyMap<string, Companion>;
}

/** Of a file that the history does not know. */
const NO_HISTORY: CoChange = { support: 0, focus: 0, companions: new Map() };

/** How many commits of today what is known otherwise counts as much as. */
const DOUBT = 1;

/** @param file as the index has it, if it has it. */
export function coChange(view: RepoView, file: FileRow | undefined): CoChange {
  if (file === undefined) return NO_HISTORY;
  const { own, others } = touchedTogether(view.index, file.id, view.now);
  const { nameNow, paths } = view.files;
  const present = others
    .map((row) => (nameNow(row.path) === row.path ? row : { ...row, path: nameNow(row.path) }))
    .filter(({ path }) => paths.has(path));
  return {
    support: own.count,
    focus: own.focus,
    companions: new Map(present.map((row) => [row.path, row])),
  };
}

/**
 * How likely the next commit of a file touches another too: the share of its commits that did, or
 * what is expected without knowing any; the more commits speak, the less the latter counts.
 * @param expected 0 to 1.
 */
export function likelihood(history: CoChange, other: string, expected: number): number {
  const together = history.companions.get(other)?.focus ?? 0;
  return (together + DOUBT * Math.min(1, expected)) / (history.focus + DOUBT);
}
