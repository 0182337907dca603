/** How much is known behind a report. */
import { counted } from "../../lib/counted.ts";

export interface Confidence {
  readonly level: "low" | "medium" | "high";
  /** 0 to 8. */
  readonly score: number;
  readonly reasons: readonly string[];
}

/** What was found on one file, or on the files of a change. */
export interface Known {
  /** Commits that touched the file. */
  readonly commits: number;
  /** Files that it uses, or that use it, and the like. */
  readonly links: number;
  readonly tests: number;
  /** Files that history saw change with it at least twice. */
  readonly partners: number;
}

const HIGH = 6;
const MEDIUM = 3;
/** With so many commits history says much, with fewer it says less. */
const MANY_COMMITS = 5;
const STALE_COST = 2;

/**
 * @param isBehind whether the index is of another commit than the one checked out.
 */
export function fileConfidence(known: Known, isBehind: boolean): Confidence {
  const history = historyScore(known.commits);
  const score =
    history + (known.links > 0 ? 2 : 0) + (known.tests > 0 ? 2 : 0) + (known.partners > 0 ? 1 : 0);
  return confidence(score, isBehind, [
    known.commits === 0
      ? "The file is new or outside indexed history."
      : `History: ${counted(known.commits, "commit")} of the file.`,
    known.links > 0
      ? `Structural links were found: ${known.links}.`
      : "Nothing that uses the file, or that it uses, was found.",
    known.tests > 0 ? `Tests were found for it: ${known.tests}.` : "No test was found for it.",
    ...(known.partners > 0
      ? [`Files that changed with it at least twice: ${known.partners}.`]
      : []),
  ]);
}

/** The same for a change of several files: each part counts by the share of files that have it. */
export function changeConfidence(files: readonly Known[], isBehind: boolean): Confidence {
  const total = files.length;
  if (total === 0) return { level: "low", score: 0, reasons: ["Nothing changed."] };
  const having = (test: (known: Known) => boolean) => files.filter(test).length;
  const withHistory = having(({ commits }) => commits > 0);
  const linked = having(({ links }) => links > 0);
  const tested = having(({ tests }) => tests > 0);
  const coupled = having(({ partners }) => partners > 0);
  const history = files.reduce((sum, { commits }) => sum + historyScore(commits), 0);
  const score = Math.round((history + 2 * linked + 2 * tested + coupled) / total);
  return confidence(score, isBehind, [
    withHistory === 0
      ? "All changed files are new or outside indexed history."
      : `History is known of ${withHistory} of ${counted(total, "changed file")}.`,
    ...(linked > 0 ? [`Structural links were found for ${linked} of ${total}.`] : []),
    `Tests were found for ${tested} of ${total}.`,
  ]);
}

function historyScore(commits: number): number {
  if (commits >= MANY_COMMITS) return 3;
  return Math.min(commits, 2);
}

function confidence(score: number, isBehind: boolean, reasons: readonly string[]): Confidence {
  const kept = isBehind ? Math.max(0, score - STALE_COST) : score;
  return {
    level: kept >= HIGH ? "high" : kept >= MEDIUM ? "medium" : "low",
    score: kept,
    reasons: isBehind ? [...reasons, "The index is of another commit."] : reasons,
  };
}
