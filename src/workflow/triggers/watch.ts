/** Looks at triggers again and again, and fires those that have reason to. */
import { parseDuration } from "../../lib/duration.ts";
import { errorData, PalliumError, usageError } from "../../lib/errors.ts";
import { wholeSeconds } from "../../lib/iso-time.ts";
import { sleep } from "../../platform/sleep.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { ControlAction } from "../run/control.ts";
import { SIGNAL_EXIT } from "../run/run-report.ts";
import type { StoreRequest, WithStore } from "../with-store.ts";
import { type Fired, fireTrigger } from "./fire.ts";
import { listTriggers, type TriggerRow } from "./store.ts";
import type { FailedTrigger, WatchKind, WatchReport } from "./types.ts";

export interface TriggerWatchRequest extends StoreRequest {
  /** `on-changed` without. */
  readonly kind?: WatchKind;
  /** Length of time between looks; `30s` without. */
  readonly interval?: string;
  readonly once?: boolean;
  /** Runs go on in processes of their own, as they do unless it looks `once`. */
  readonly background?: boolean;
}

/** One trigger of a cycle, and what became of it. */
type Outcome = { readonly name: string } & (Fired | { readonly failed: FailedTrigger });

/**
 * One report a cycle, until it is interrupted. Runs take no network.
 * @throws PalliumError `usage`, `database_not_found`; `interrupted` after the report of the cycle
 */
export async function* watchTriggers(
  powers: WorkflowPowers,
  observer: RunObserver,
  withStore: WithStore,
  {
    db,
    kind = "on-changed",
    interval = "30s",
    once = false,
    background = !once,
  }: TriggerWatchRequest,
): AsyncGenerator<WatchReport> {
  const intervalMs = watchInterval(interval);
  if (kind === "manual") observer.warn("no watch fires triggers of kind manual");
  const end = new AbortController();
  const forget = observer.onInterrupt((asked) => end.abort(interrupted(asked)));
  try {
    for (;;) {
      const checkedAt = powers.clock.now();
      const { outcomes, nextDue } = await withStore(db, async (database) => ({
        outcomes: await cycle(powers, observer, database, {
          kind,
          end: end.signal,
          db,
          background,
        }),
        nextDue: earliestDue(watched(database, kind), powers.clock.now()),
      }));
      const now = powers.clock.now().getTime();
      const next = Math.min(now + intervalMs, nextDue ?? Number.POSITIVE_INFINITY);
      const isLast = once || end.signal.aborted;
      yield {
        ...reportOf(kind, checkedAt, outcomes, isLast ? undefined : new Date(next)),
        background,
      };
      end.signal.throwIfAborted();
      if (once) return;
      await sleep(Math.max(0, next - powers.clock.now().getTime()), end.signal);
      end.signal.throwIfAborted();
    }
  } finally {
    forget();
  }
}

function interrupted(asked: ControlAction): PalliumError {
  return new PalliumError("interrupted", "the watch of triggers was interrupted", {
    exitCode: SIGNAL_EXIT[asked],
    hints: ["runs that it started in the background go on: pallium workflow list"],
  });
}

function watchInterval(text: string): number {
  const ms = parseDuration(text) ?? 0;
  if (ms > 0) return ms;
  throw usageError(
    `invalid trigger watch interval ${JSON.stringify(text)}`,
    "write a length of time, such as --interval 30s",
  );
}

function watched(database: Database, kind: WatchKind): TriggerRow[] {
  return listTriggers(database).filter(
    (row) => row.enabled === 1 && row.kind !== "manual" && (kind === "all" || row.kind === kind),
  );
}

/** What is overdue is left out: it could not be started, and is tried again at the next look. */
function earliestDue(rows: readonly TriggerRow[], now: Date): number | undefined {
  const times = rows
    .map((row) => Date.parse(row.next_due_at ?? ""))
    .filter((time) => time > now.getTime());
  return times.length === 0 ? undefined : Math.min(...times);
}

interface CycleOptions {
  readonly kind: WatchKind;
  readonly end: AbortSignal;
  readonly db: string | undefined;
  readonly background: boolean;
}

async function cycle(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  { kind, end, db, background }: CycleOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name } of watched(database, kind)) {
    if (end.aborted) break;
    const options = { ...(db === undefined ? {} : { db }), name, background, onTime: true };
    try {
      outcomes.push({ name, ...(await fireTrigger(powers, observer, database, options)) });
    } catch (error) {
      const { code, message } = errorData(error);
      outcomes.push({ name, failed: { name, code, error: message } });
    }
  }
  return outcomes;
}

function reportOf(
  kind: WatchKind,
  checkedAt: Date,
  outcomes: readonly Outcome[],
  next: Date | undefined,
): Omit<WatchReport, "background"> {
  const count = (key: string) => outcomes.filter((outcome) => key in outcome).length;
  return {
    checked: outcomes.length,
    checked_at: wholeSeconds(checkedAt),
    errors: count("failed"),
    kind,
    ...(next === undefined ? {} : { next_check: wholeSeconds(next) }),
    ...(outcomes.length === 0 ? {} : { results: outcomes.map(resultOf) }),
    skipped: count("skipped"),
    started: count("run"),
  };
}

function resultOf(outcome: Outcome): NonNullable<WatchReport["results"]>[number] {
  if ("skipped" in outcome) return outcome.skipped;
  if ("failed" in outcome) return outcome.failed;
  const { name, run, missed } = outcome;
  const started = "snapshot" in run ? run.snapshot : run;
  return { ...started, name, ...(missed === 0 ? {} : { missed }) };
}
