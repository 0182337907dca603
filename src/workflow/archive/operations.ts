/** What can be done with runs as a whole, as operations call it. */
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { StoreRequest, WithStore } from "../with-store.ts";
import { type DeletedRun, type DeleteRequest, deleteRun } from "./delete-run.ts";

export interface ArchiveOperations {
  /** Removes a run, its records and its files. */
  deleteRun(request: StoreRequest & DeleteRequest, observer: RunObserver): Promise<DeletedRun>;
}

export function archiveOperations(powers: WorkflowPowers, withStore: WithStore): ArchiveOperations {
  return {
    deleteRun: ({ db, ...request }, observer) =>
      withStore(db, (database) => deleteRun(powers, database, request, observer)),
  };
}
