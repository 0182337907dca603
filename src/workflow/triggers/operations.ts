/** What can be done with triggers, as operations call it. */
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { BackgroundRun } from "../run/background.ts";
import type { RunReport } from "../run/run-report.ts";
import type { StoreRequest, WithStore } from "../with-store.ts";
import { defineTrigger, keepDue, storedSchedule, type TriggerAddRequest } from "./define.ts";
import { fireTrigger } from "./fire.ts";
import { installTriggers, type TriggerInstallRequest } from "./install/install.ts";
import { openSchedule } from "./schedule.ts";
import {
  deleteTrigger,
  findTrigger,
  listTriggers,
  putTrigger,
  requireTrigger,
  switchTrigger,
  triggerRecord,
} from "./store.ts";
import type { SkippedTrigger, TriggerRecord, TriggerService, WatchReport } from "./types.ts";
import { type TriggerWatchRequest, watchTriggers } from "./watch.ts";

export interface TriggerRequest extends StoreRequest {
  readonly name: string;
}

export interface TriggerRunRequest extends TriggerRequest {
  readonly id?: string;
  readonly allow_network?: boolean;
  readonly background?: boolean;
}

export interface DeletedTrigger {
  readonly deleted: true;
  readonly name: string;
}

export interface TriggerOperations {
  /** Makes a trigger, or changes the one of that name. */
  triggerAdd(request: TriggerAddRequest): Promise<TriggerRecord>;
  triggerList(request: StoreRequest): Promise<TriggerRecord[]>;
  triggerShow(request: TriggerRequest): Promise<TriggerRecord>;
  triggerEnable(request: TriggerRequest): Promise<TriggerRecord>;
  triggerDisable(request: TriggerRequest): Promise<TriggerRecord>;
  triggerDelete(request: TriggerRequest): Promise<DeletedTrigger>;
  triggerRun(
    request: TriggerRunRequest,
    observer: RunObserver,
  ): Promise<RunReport | BackgroundRun | SkippedTrigger>;
  triggerWatch(request: TriggerWatchRequest, observer: RunObserver): AsyncIterable<WatchReport>;
  /** Has a service manager run the watch. */
  triggerInstall(request: TriggerInstallRequest, observer: RunObserver): Promise<TriggerService>;
}

export function triggerOperations(powers: WorkflowPowers, withStore: WithStore): TriggerOperations {
  const change = (request: TriggerRequest, enabled: boolean) =>
    withStore(request.db, (database) => setEnabled(powers, database, request.name, enabled));
  return {
    triggerAdd: (request) => add(powers, request),
    triggerList: ({ db }) => withStore(db, (database) => listTriggers(database).map(triggerRecord)),
    triggerShow: ({ db, name }) =>
      withStore(db, (database) => triggerRecord(requireTrigger(database, name))),
    triggerEnable: (request) => change(request, true),
    triggerDisable: (request) => change(request, false),
    triggerDelete: ({ db, name }) =>
      withStore(db, (database) =>
        database.write((tx): DeletedTrigger => {
          requireTrigger(tx, name);
          deleteTrigger(tx, name);
          return { deleted: true, name };
        }),
      ),
    triggerRun: ({ db, ...request }, observer) =>
      withStore(db, async (database) => {
        const options = { ...optional({ db }), ...request, onTime: false };
        const fired = await fireTrigger(powers, observer, database, options);
        return "skipped" in fired ? fired.skipped : fired.run;
      }),
    triggerWatch: (request, observer) => watchTriggers(powers, observer, withStore, request),
    triggerInstall: (request, observer) => installTriggers(powers, observer, request),
  };
}

/** Unlike the others it makes the store where there is none. */
async function add(powers: WorkflowPowers, request: TriggerAddRequest): Promise<TriggerRecord> {
  const definition = await defineTrigger(powers, request);
  const database = await powers.openStore(request.db);
  try {
    return await database.write((tx) => {
      const before = findTrigger(tx, request.name);
      putTrigger(tx, keepDue(definition, before), powers.clock.iso());
      return triggerRecord(requireTrigger(tx, request.name));
    });
  } finally {
    database.close();
  }
}

/** One that is as it is asked to be stays untouched; what would have been due while it was off is not missed. */
async function setEnabled(
  { clock }: WorkflowPowers,
  database: Database,
  name: string,
  enabled: boolean,
): Promise<TriggerRecord> {
  const seen = requireTrigger(database, name);
  const schedule = storedSchedule(seen);
  const cadence = schedule && (await openSchedule(schedule));
  return database.write((tx) => {
    const row = requireTrigger(tx, name);
    if ((row.enabled === 1) === enabled) return triggerRecord(row);
    const due = enabled && cadence ? cadence.first(clock.now()).toISOString() : row.next_due_at;
    switchTrigger(tx, name, enabled, due, clock.iso());
    return triggerRecord(requireTrigger(tx, name));
  });
}
