/** What verification runs on record say of the files as they are now. */
import { hasPassed, type VerificationRun } from "../verification/records.ts";
import type { ReportParts } from "./context.ts";
import type { VerificationRecord } from "./shapes.ts";

type Verification = ReportParts["verification"];

const MOST_RUNS = 5;

/** The newest runs first; one that failed on the present files is never left out. */
export function verificationHistory(verification: Verification): readonly VerificationRecord[] {
  const newest = verification.latest.slice(0, MOST_RUNS);
  const failed = verification.standing.filter(
    (run) => !hasPassed(run) && !newest.some(({ id }) => id === run.id),
  );
  return [...newest, ...failed].map((run) => ({
    id: run.id,
    tier: run.tier,
    command: run.command,
    exit_code: run.exit_code,
    duration_ms: run.duration_ms,
    changed_files: run.changed_files,
    cwd: run.cwd,
    ran_at: run.ran_at,
    head: run.head ?? "",
    is_stale: isStale(verification, run),
  }));
}

function isStale({ state, standing }: Verification, run: VerificationRun): boolean {
  if (standing.some(({ id }) => id === run.id)) return false;
  return state.tree === undefined || run.tree_hash !== state.tree;
}

/** A run whose failure nothing has answered yet. */
export interface StandingFailure {
  readonly command: string;
  /** Has the words `Most recent verification failed`. */
  readonly text: string;
}

/**
 * Commands that fail on the present files; where none ran on these, the newest run if it failed.
 */
export function standingFailures({ standing, latest }: Verification): readonly StandingFailure[] {
  if (standing.length > 0) {
    return standing.filter((run) => !hasPassed(run)).map((run) => failure(run, ""));
  }
  const newest = latest.find(({ interrupted }) => !interrupted);
  if (newest === undefined || hasPassed(newest)) return [];
  return [failure(newest, ", on an earlier state of the files")];
}

function failure(
  { command, exit_code, timed_out }: VerificationRun,
  where: string,
): StandingFailure {
  const how = timed_out ? "timed out" : `exit ${exit_code}`;
  return { command, text: `Most recent verification failed: ${command} (${how}${where}).` };
}
