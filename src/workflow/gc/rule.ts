/** Which runs are old and done enough for their files to go. Pure. */
import type { RunRow } from "../run/store.ts";
import type { RunStatus } from "../run/types.ts";

export interface CollectRule {
  /** Milliseconds since 1970; runs that ended later keep their files. */
  readonly endedBefore: number;
  /** Whether runs go too that a resume could still bring to a better end. */
  readonly includeFailed: boolean;
}

type Ended = Pick<RunRow, "status" | "completed_at" | "updated_at" | "collected_at">;

const DONE: readonly RunStatus[] = ["completed", "stopped"];
/** What a resume may go on with; one that is paused is meant to be resumed, and never goes. */
const RESUMABLE: readonly RunStatus[] = ["failed", "completed_with_failures", "interrupted"];

/** A run whose files an earlier collection gave up and did not come to remove goes whatever the rule. */
export function isCollectable(run: Ended, { endedBefore, includeFailed }: CollectRule): boolean {
  if (run.collected_at !== null) return true;
  const mayGo = DONE.includes(run.status) || (includeFailed && RESUMABLE.includes(run.status));
  return mayGo && Date.parse(run.completed_at ?? run.updated_at) <= endedBefore;
}
