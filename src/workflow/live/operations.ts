/** What can be seen of a run while it goes on, as operations call it. */
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { JournalEvent } from "../reports/events.ts";
import { type EventsRequest, events } from "./events.ts";
import type { WatchFrame } from "./frame.ts";
import { type LogsRequest, logs, type RunLogs } from "./logs.ts";
import { type WatchRequest, watch } from "./watch.ts";

export interface LiveOperations {
  /** Reads on as the records are taken; the store is open until then. */
  events(request: EventsRequest, observer: RunObserver): AsyncIterable<JournalEvent>;
  /** How the run stands, each time that this changes; the last one is final. */
  watch(request: WatchRequest, observer: RunObserver): AsyncIterable<WatchFrame>;
  logs(request: LogsRequest, observer: RunObserver): Promise<RunLogs>;
}

export function liveOperations(powers: WorkflowPowers): LiveOperations {
  return {
    events: (request, observer) => events(powers, request, observer),
    watch: (request, observer) => watch(powers, request, observer),
    logs: (request, observer) => logs(powers, request, observer),
  };
}
