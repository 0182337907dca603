/** How operations of the workflow domain use a store: it is opened, used and closed again. */
import { resolve } from "node:path";
import { PalliumError } from "../lib/errors.ts";
import { isFile } from "../platform/files.ts";
import type { Database } from "../platform/sqlite/database.ts";
import { finishRemovals } from "./archive/finish-removals.ts";
import type { RunObserver, WorkflowPowers } from "./powers.ts";
import { type ReconciledRun, reconcileRuns } from "./run/reconcile.ts";

export interface StoreRequest {
  /** Path of the store; absent for the user's own. */
  readonly db?: string;
}

export interface RunIdRequest extends StoreRequest {
  readonly id: string;
}

/** Does work with the store at a path, or the user's own. @throws PalliumError `database_not_found` */
export type WithStore = <T>(
  path: string | undefined,
  work: (database: Database) => Promise<T> | T,
) => Promise<T>;

export function storeUser(powers: WorkflowPowers): WithStore {
  return async (path, work) => {
    const database = await openExisting(powers, path);
    try {
      return await work(database);
    } finally {
      database.close();
    }
  };
}

/** Only a run makes a store where one was named; everything else would report nothing of a typing mistake. */
export async function openExisting(
  powers: WorkflowPowers,
  path: string | undefined,
): Promise<Database> {
  if (path !== undefined && !(await isFile(resolve(powers.environment.cwd, path)))) {
    throw new PalliumError("database_not_found", `no database is at ${path}`, {
      hints: [
        "look at the path given with --db; only workflow run and workflow trigger add make a new one",
      ],
    });
  }
  return powers.openStore(path);
}

/**
 * Marks what no longer goes on, before a report of what does. A failure is said, and the rows are
 * read as they are.
 */
export async function reconcile(
  powers: WorkflowPowers,
  database: Database,
  observer: RunObserver,
): Promise<readonly ReconciledRun[]> {
  try {
    const reconciled = await reconcileRuns(database, powers.clock);
    await finishRemovals(powers, database, observer.warn);
    return reconciled;
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    observer.warn(`stale runs were not reconciled: ${error.message}`);
    return [];
  }
}
