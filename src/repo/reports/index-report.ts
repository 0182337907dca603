import type { Reader } from "../../platform/sqlite/database.ts";
import type { IndexOutcome } from "../history/index-history.ts";
import { indexState } from "../history/present-index.ts";
import { indexCounts } from "../history/queries.ts";

export interface IndexReport {
  /** Absolute top of the main working tree. */
  readonly repo_root: string;
  readonly branch: string;
  /** Commits, merges left out. */
  readonly commit_count: number;
  /** Files ever touched, by their last names. */
  readonly file_count: number;
  /**
   * Pairs of files that a commit touched together, in both directions, added up over the commits;
   * commits of many files have none.
   */
  readonly cochange_edge_count: number;
  /** Uses of one file by another, by imports and the like. */
  readonly link_count: number;
  /** UTC with milliseconds. */
  readonly indexed_at: string;
  readonly commit: string;
  /** What was done: `current` when there was nothing to do. */
  readonly outcome: IndexOutcome["kind"];
  readonly commits_added: number;
  readonly commits_removed: number;
}

/** @param root absolute top of the main working tree; the index is that of all linked ones. */
export function indexReport(root: string, index: Reader, outcome: IndexOutcome): IndexReport {
  const state = indexState(index);
  const counts = indexCounts(index);
  const [added, removed] = outcome.kind === "updated" ? [outcome.added, outcome.removed] : [0, 0];
  return {
    repo_root: root,
    branch: state?.branch ?? "",
    commit_count: counts.commits,
    file_count: counts.files,
    cochange_edge_count: counts.pairs,
    link_count: counts.links,
    indexed_at: state?.indexed_at ?? "",
    commit: state?.head ?? "",
    outcome: outcome.kind,
    commits_added: outcome.kind === "built" ? counts.commits : added,
    commits_removed: removed,
  };
}
