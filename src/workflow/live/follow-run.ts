/** Looks at a run again and again until it has ended, whoever executes it. */
import { PalliumError } from "../../lib/errors.ts";
import { sleep } from "../../platform/sleep.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { leaseHolder } from "../run/lease.ts";
import { reconcileRun } from "../run/reconcile.ts";
import { type RunRow, requireRun } from "../run/store.ts";
import { OPEN_STATUSES } from "../run/types.ts";

/** Between two looks; a look at a store that nobody wrote to costs microseconds. */
const LOOK_MS = 50;

export interface Look {
  readonly run: RunRow;
  /** Whether anybody has written to the store since the last look. */
  readonly changed: boolean;
  /** Nobody executes the run any more: what is on record is all there will be. The last look. */
  readonly ended: boolean;
}

/**
 * A run whose runner died is marked as interrupted, which ends it. Ends without a last look where
 * nobody reads any more, or `end` is aborted.
 * @throws PalliumError `run_not_found`
 */
export async function* followRun(
  { clock }: Pick<WorkflowPowers, "clock">,
  database: Database,
  id: string,
  observer: RunObserver,
  end?: AbortSignal,
): AsyncGenerator<Look> {
  const gone = await observer.readerGone?.();
  const over = AbortSignal.any([gone, end].filter((signal) => signal !== undefined));
  let version = -1;
  while (!over.aborted) {
    const current = database.dataVersion();
    const run = requireRun(database, id);
    if (!OPEN_STATUSES.includes(run.status)) {
      yield { run, changed: true, ended: true };
      return;
    }
    if (leaseHolder(database, id, clock) === undefined) {
      yield { run: await afterDeath(database, clock, run, observer), changed: true, ended: true };
      return;
    }
    yield { run, changed: current !== version, ended: false };
    version = current;
    await sleep(LOOK_MS, over);
  }
}

/** What cannot be put on record is said, and true all the same. */
async function afterDeath(
  database: Database,
  clock: WorkflowPowers["clock"],
  run: RunRow,
  observer: RunObserver,
): Promise<RunRow> {
  try {
    await reconcileRun(database, clock, run.id);
    return requireRun(database, run.id);
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    observer.warn(
      `the runner of ${run.id} died, which could not be put on record: ${error.message}`,
    );
    return { ...run, status: "interrupted", error: "the runner died", error_code: "runner_died" };
  }
}
