/** What can be done with runs as a whole, as operations call it. */
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { reconcile, type StoreRequest, type WithStore } from "../with-store.ts";
import { type DeletedRun, type DeleteRequest, deleteRun } from "./delete-run.ts";
import { type ExportedRun, type ExportRequest, exportRun } from "./export-run.ts";
import { type ImportedRun, type ImportRequest, importRun } from "./import-run.ts";

export interface ArchiveOperations {
  /** Removes a run, its records and its files. */
  deleteRun(request: StoreRequest & DeleteRequest, observer: RunObserver): Promise<DeletedRun>;
  /** Writes a run to one file. */
  exportRun(request: StoreRequest & ExportRequest, observer: RunObserver): Promise<ExportedRun>;
  /** Puts a run that was exported on record; it makes the store where there is none. */
  importRun(request: StoreRequest & ImportRequest, observer: RunObserver): Promise<ImportedRun>;
}

export function archiveOperations(powers: WorkflowPowers, withStore: WithStore): ArchiveOperations {
  return {
    deleteRun: ({ db, ...request }, observer) =>
      withStore(db, (database) => deleteRun(powers, database, request, observer)),
    exportRun: ({ db, ...request }, observer) =>
      withStore(db, async (database) => {
        await reconcile(powers, database, observer);
        return exportRun(powers, database, request, observer);
      }),
    importRun: async ({ db, ...request }, observer) => {
      const database = await powers.openStore(db);
      try {
        return await importRun(powers, database, request, observer);
      } finally {
        database.close();
      }
    },
  };
}
