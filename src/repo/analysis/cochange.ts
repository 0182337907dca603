/** Which files history saw change together with one. */
import { type FileRow, ownCommits, touchedTogether } from "../history/queries.ts";
import type { RepoView } from "./view.ts";

/** A file that was touched together with another. */
export interface Companion {
  readonly path: string;
  /** Commits that touched both. */
  readonly count: number;
  /** The same, each counting the less the older it is. */
  readonly weight: number;
  /** Which share of the file's commits touched the other too, 0 to 1; recent ones count more. */
  readonly confidence: number;
  /** As `confidence`, each commit shared among the files it touched. */
  readonly focus: number;
  /** Which share of the other's commits touched the file too, 0 to 1. */
  readonly reverse: number;
}

export interface CoChange {
  /** Commits of the file that count: those that did not touch too many files. */
  readonly support: number;
  /** By path. */
  readonly companions: ReadonlyMap<string, Companion>;
}

/** Commits that are assumed to have gone the other way, so that one commit is no certainty. */
const DOUBT = 1;

/** What is still there of what changed together with a file. */
export function coChange(view: RepoView, file: FileRow): CoChange {
  const own = ownCommits(view.index, file.id, view.now);
  const companions = new Map<string, Companion>();
  if (own.count === 0) return { support: 0, companions };
  for (const row of touchedTogether(view.index, file.id, view.now)) {
    if (!view.files.paths.has(row.path)) continue;
    companions.set(row.path, {
      path: row.path,
      count: row.count,
      weight: row.weight,
      confidence: row.weight / (own.weight + DOUBT * (own.weight / own.count)),
      focus: row.share / (own.weight + DOUBT * (own.weight / own.count)),
      reverse: row.weight / (row.otherWeight + DOUBT * (own.weight / own.count)),
    });
  }
  return { support: own.count, companions };
}
