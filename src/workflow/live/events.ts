/** `workflow events`: the journal of a run, as far as it goes or as it grows. */
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { type EventFilter, type JournalEvent, readEvents } from "../reports/events.ts";
import { requireRun } from "../run/store.ts";
import { openExisting, type RunIdRequest } from "../with-store.ts";
import { followRun } from "./follow-run.ts";

export interface EventsRequest extends RunIdRequest, EventFilter {
  /** Go on with what is put on record, until the run ends. */
  readonly follow?: boolean;
}

/** Reads on as the records are taken; the store is open until then. @throws PalliumError `run_not_found` */
export async function* events(
  powers: WorkflowPowers,
  { db, id, follow = false, ...filter }: EventsRequest,
  observer: RunObserver,
): AsyncGenerator<JournalEvent> {
  const database = await openExisting(powers, db);
  try {
    requireRun(database, id);
    if (follow) yield* followEvents(powers, database, id, filter, observer);
    else yield* readEvents(database, id, filter);
  } finally {
    database.close();
  }
}

async function* followEvents(
  powers: WorkflowPowers,
  database: Database,
  id: string,
  filter: EventFilter,
  observer: RunObserver,
): AsyncGenerator<JournalEvent> {
  let after = filter.after ?? 0;
  for await (const { changed } of followRun(powers, database, id, observer)) {
    if (!changed) continue;
    for (const event of readEvents(database, id, { ...filter, after })) {
      after = event.seq;
      yield event;
    }
  }
}
