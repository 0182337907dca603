/** Which of the verification runs on record were of a change. */
import type { Verification } from "../powers.ts";
import { endOf, type FileChange, SLACK_MS } from "./commits.ts";

export type RecordedRun = Omit<Verification, "concerns">;

/**
 * Of each command the newest run: on the commit itself, or on the changed file between the edit and the
 * commit. The newest first.
 * @param runs the newest first.
 * @param editedAt UTC; empty where nobody knows.
 */
export function verifiedWith(
  { commit, after }: FileChange,
  runs: readonly Verification[],
  editedAt: string,
): readonly RecordedRun[] {
  const from = Date.parse(editedAt || after || EVER);
  const until = commit === undefined ? Number.POSITIVE_INFINITY : endOf(commit) + SLACK_MS;
  const newest = new Map<string, RecordedRun>();
  for (const { concerns, ...run } of runs) {
    const at = Date.parse(run.ran_at);
    const isOfIt = run.head !== null && run.head === commit?.sha;
    const isBefore = concerns && at >= from && at <= until;
    if ((isOfIt || isBefore) && !newest.has(run.command)) newest.set(run.command, run);
  }
  return [...newest.values()];
}

const EVER = "1970-01-01T00:00:00.000Z";
