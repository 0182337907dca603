/** Which runs are old and done enough for their files to go. Pure. */
import type { RunRow } from "../run/store.ts";
import type { RunStatus } from "../run/types.ts";

export interface CollectRule {
  /** Milliseconds since 1970; runs that ended later keep their files. */
  readonly endedBefore: number;
  /** Whether runs go too that a resume could still bring to a better end. */
  readonly includeFailed: boolean;
  /** Whether runs stay of which edits are nowhere but among their files. */
  readonly unappliedStay?: true;
}

type Ended = Pick<RunRow, "status" | "completed_at" | "updated_at" | "collected_at">;

const DONE: readonly RunStatus[] = ["completed", "stopped"];
/** What a resume may go on with. */
const RESUMABLE: readonly RunStatus[] = ["failed", "completed_with_failures", "interrupted"];
/** Somebody means to resume it: its files never go by themselves. */
const WANTED: readonly RunStatus[] = ["paused"];

/** A run whose files an earlier collection gave up and did not come to remove goes whatever the rule. */
export function isCollectable(run: Ended, rule: CollectRule): boolean {
  if (run.collected_at !== null) return true;
  const isDone = DONE.includes(run.status);
  return (isDone || (rule.includeFailed && RESUMABLE.includes(run.status))) && isOld(run, rule);
}

/** Whether what a run that keeps its files left besides may go. */
export function mayHaveLeftOvers(run: Ended, rule: CollectRule): boolean {
  return [...DONE, ...RESUMABLE, ...WANTED].includes(run.status) && isOld(run, rule);
}

function isOld({ completed_at, updated_at }: Ended, { endedBefore }: CollectRule): boolean {
  return Date.parse(completed_at ?? updated_at) <= endedBefore;
}
