/** Has a planned run executed by a process of its own, which outlives this one and its terminal. */
import { join } from "node:path";
import { type ErrorData, PalliumError } from "../../lib/errors.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { RUNNER_COMMAND } from "../../lib/runner-command.ts";
import { readTail } from "../../platform/bounded-read.ts";
import { ensurePrivateDir, removeIfEmpty, removeIfThere } from "../../platform/files.ts";
import { startDetached } from "../../platform/process/detached.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { WorkflowPowers } from "../powers.ts";
import { handOver } from "./hand-over.ts";
import type { PlannedRun } from "./request.ts";

/** Of a run's directory: what its runners in the background said. */
export const RUNNER_LOG = "runner.log";
/** Of the log of a runner that said nothing else. */
const LAST_WORDS_BYTES = 2000;

export interface BackgroundRun {
  readonly id: string;
  /** What the process is called where runs are listed. */
  readonly owned_session_id: string;
  readonly status: "background";
}

/** The one line that a runner says to the process that started it. */
export type RunnerAnswer =
  | { readonly claimed: true }
  | { readonly error: ErrorData; readonly exitCode: number };

/**
 * Returns once the run is the other process's, its row written; that process alone decides whether
 * there is room for it.
 * @throws PalliumError what kept the run from being taken; `runner_failed` when its process died.
 */
export async function startInBackground(
  { environment: { self, cwd, variables }, runsDirectory }: WorkflowPowers,
  database: Database,
  plan: PlannedRun,
): Promise<BackgroundRun> {
  const directory = join(runsDirectory, plan.id);
  const logFile = join(directory, RUNNER_LOG);
  const ownedSession = `workflow-${plan.id}`;
  await ensurePrivateDir(directory);
  const { answer } = await startDetached({
    argv: [...self, RUNNER_COMMAND],
    cwd,
    env: variables,
    input: handOver({ ...plan, ownedSession }),
    logFile,
  });
  const failure = await failureOf(answer, logFile);
  if (failure === undefined) {
    return { id: plan.id, owned_session_id: ownedSession, status: "background" };
  }
  await forgetUnclaimed(database, plan.id, directory);
  throw failure;
}

async function failureOf(answer: string, logFile: string): Promise<PalliumError | undefined> {
  const said = parseJson(answer) as RunnerAnswer | undefined;
  if (!isRecord(said)) {
    const lastWords = (await readTail(logFile, LAST_WORDS_BYTES)).trim();
    return new PalliumError(
      "runner_failed",
      `the runner ended before it took the run${lastWords === "" ? "" : `: ${lastWords}`}`,
      { hints: ["run it in the foreground, without --background, to see more"] },
    );
  }
  if ("claimed" in said) return undefined;
  const { error, exitCode } = said;
  return new PalliumError(error.code, error.message, { hints: error.hints, exitCode });
}

/** A run that has no row did not happen: what was made for it goes, unless more is there than its log. */
async function forgetUnclaimed(database: Database, id: string, directory: string): Promise<void> {
  if (database.get("SELECT 1 FROM workflow_runs WHERE id = ?", id) !== undefined) return;
  await removeIfThere(join(directory, RUNNER_LOG));
  await removeIfEmpty(directory);
}
