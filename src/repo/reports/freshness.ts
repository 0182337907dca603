import { counted } from "../../lib/counted.ts";
import type { IndexState } from "../history/present-index.ts";
import type { Freshness } from "./shapes.ts";

export interface CheckedOut {
  /** `HEAD` when no branch is. */
  readonly branch: string;
  /** Absent while there are no commits. */
  readonly commit: string | undefined;
}

const HASH_LENGTH = 8;

/** @param changedFiles how many files of the working tree differ from the commit. */
export function freshnessOf(
  index: IndexState | undefined,
  head: CheckedOut,
  changedFiles: number,
): Freshness {
  const isStale = index === undefined || index.head !== head.commit;
  return {
    index_status: index === undefined ? "missing" : "indexed",
    indexed_at: index?.indexed_at ?? "",
    indexed_branch: index?.branch ?? "",
    last_indexed_commit: index?.head ?? "",
    current_branch: head.branch,
    current_commit: head.commit ?? "",
    working_tree_dirty: changedFiles > 0,
    working_tree_file_count: changedFiles,
    is_stale: isStale,
    reasons: reasons(index, head, isStale, changedFiles),
  };
}

function reasons(
  index: IndexState | undefined,
  { commit }: CheckedOut,
  isStale: boolean,
  changedFiles: number,
): readonly string[] {
  const found: string[] = [];
  if (commit === undefined) found.push("The repository has no commits yet.");
  else if (index === undefined) {
    found.push("The repository has not been indexed: run `pallium index`.");
  } else if (isStale) {
    found.push(
      `The index is of commit ${index.head.slice(0, HASH_LENGTH)}, checked out is ${commit.slice(0, HASH_LENGTH)}: run \`pallium index\`.`,
    );
  }
  if (changedFiles > 0) found.push(`${counted(changedFiles, "file")} changed and not committed.`);
  return found.length > 0 ? found : ["The index is of the commit that is checked out."];
}
