/** `workflow watch`: how a run stands, as often as that changes, until it ends. */
import { join } from "node:path";
import { type ErrorData, errorData, PalliumError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { currentCalls } from "../reports/status.ts";
import type { ControlAction } from "../run/control.ts";
import { listGates } from "../run/gates-from-outside.ts";
import { gateCommands } from "../run/next-step.ts";
import { runError, SIGNAL_EXIT } from "../run/run-report.ts";
import { readOutline } from "../run/store.ts";
import type { Snapshot } from "../run/types.ts";
import { openExisting, type RunIdRequest } from "../with-store.ts";
import { followRun, type Look } from "./follow-run.ts";
import { contentOf, frameOf, type WatchFrame, waitingGates } from "./frame.ts";
import { createLastLines, type LastLines } from "./last-lines.ts";
import { paceOf } from "./pace.ts";

export interface WatchRequest extends RunIdRequest {
  /** Fewest milliseconds from one frame to the next; 200 without. */
  readonly interval_ms?: number;
}

const INTERVAL_MS = 200;

/**
 * The run as it stands, then each time that something has changed; the last one is final. The run
 * itself is left alone, but for marking it where its runner has died.
 * @throws PalliumError `run_not_found`; `interrupted` when Ctrl-C or SIGTERM ends the watch.
 */
export async function* watch(
  powers: WorkflowPowers,
  { db, id, interval_ms = INTERVAL_MS }: WatchRequest,
  observer: RunObserver,
): AsyncGenerator<WatchFrame> {
  const database = await openExisting(powers, db);
  const end = new AbortController();
  let interrupt: ControlAction | undefined;
  const forget = observer.onInterrupt((action) => {
    interrupt ??= action;
    end.abort();
  });
  try {
    const looks = followRun(powers, database, id, observer, end.signal);
    yield* frames(powers, database, looks, { db, interval: interval_ms });
    if (interrupt !== undefined) throw interrupted(id, interrupt);
  } finally {
    forget();
    database.close();
  }
}

interface FrameOptions {
  readonly db: string | undefined;
  readonly interval: number;
}

async function* frames(
  powers: WorkflowPowers,
  database: Database,
  looks: AsyncIterable<Look>,
  { db, interval }: FrameOptions,
): AsyncGenerator<WatchFrame> {
  let lines: LastLines | undefined;
  let snapshot: Snapshot | undefined;
  let isStale = true;
  let shown = "";
  let next = 0;
  for await (const { run, changed, ended } of looks) {
    isStale ||= changed;
    const now = powers.clock.monotonicMs();
    if (now < next && !ended) continue;
    next = now + interval;
    if (isStale || snapshot === undefined) snapshot = readOutline(database, run);
    isStale = false;
    lines ??= createLastLines(join(powers.runsDirectory, run.id));
    const frame = await frameNow(powers, database, { snapshot, lines, ended, db });
    const content = contentOf(frame);
    if (content === shown) continue;
    shown = content;
    yield frame;
  }
}

interface Moment {
  readonly snapshot: Snapshot;
  readonly lines: LastLines;
  readonly ended: boolean;
  readonly db: string | undefined;
}

async function frameNow(
  { clock }: WorkflowPowers,
  database: Database,
  { snapshot, lines, ended, db }: Moment,
): Promise<WatchFrame> {
  const { run } = snapshot;
  const agents = currentCalls(snapshot.agents);
  const atWork = ended ? [] : agents.filter(({ status }) => status === "running");
  lines.keep(new Set(atWork.map(({ id }) => id)));
  const lastLines = await Promise.all(
    atWork.map(async ({ id }): Promise<[string, string]> => [id, await lines.of(id)]),
  );
  return frameOf({
    snapshot,
    pace: paceOf(database, run.id, clock.now(), agents.length - atWork.length),
    at: clock.iso(),
    final: ended,
    gates: waitingGates(listGates(database, run.id), (name) => gateCommands(run, name, db)),
    ...(ended ? optional({ failure: failureOf(snapshot, db) }) : {}),
    lastLines: new Map(lastLines),
  });
}

function failureOf(snapshot: Snapshot, db: string | undefined): ErrorData | undefined {
  const everyAgent = new Set(snapshot.agents.map(({ id }) => id));
  const error = runError(snapshot, undefined, everyAgent, db);
  return error === undefined ? undefined : errorData(error);
}

function interrupted(id: string, action: ControlAction): PalliumError {
  return new PalliumError("interrupted", `the watch was ended, run ${id} goes on`, {
    exitCode: SIGNAL_EXIT[action],
    hints: [
      `watch it again: pallium workflow watch ${id}`,
      `or have it pause: pallium workflow pause ${id}`,
    ],
  });
}
