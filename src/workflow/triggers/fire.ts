/** Fires one trigger: whether there is reason to, that only one process does, and the run. */
import { messageOf, PalliumError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { type BackgroundRun, startInBackground } from "../run/background.ts";
import { runThroughQuotas } from "../run/quota-wait.ts";
import { planRun } from "../run/request.ts";
import type { RunReport } from "../run/run-report.ts";
import { storedSchedule } from "./define.ts";
import { commitFingerprint, contentFingerprint } from "./fingerprint.ts";
import { openSchedule } from "./schedule.ts";
import {
  type FiringState,
  pathsOf,
  requireTrigger,
  restoreFiring,
  type TriggerRow,
  takeFiring,
} from "./store.ts";
import type { SkippedTrigger } from "./types.ts";

/** Each time another process was faster, which then did what was wanted. */
const MOST_RACES = 20;
/** Of the name, so that the id made of it is not too long. */
const NAME_IN_ID = 80;

export interface FireOptions {
  readonly db?: string;
  readonly name: string;
  /** Of the run. */
  readonly id?: string;
  readonly allow_network?: boolean;
  /** Have the run go on in a process of its own. */
  readonly background?: boolean;
  /** Whether a trigger of time waits for its time; one that a person fires does not. */
  readonly onTime: boolean;
}

export type Fired =
  | { readonly skipped: SkippedTrigger }
  | { readonly run: RunReport | BackgroundRun; readonly missed: number };

/** What there is to be fired for. */
interface Reason {
  readonly fingerprint: string | null;
  readonly nextDue: string | null;
  readonly missed: number;
}

/**
 * @throws PalliumError `trigger_not_found`, `trigger_disabled`, `trigger_busy`; those of a run that
 * does not start, the trigger then left as it was.
 */
export async function fireTrigger(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  options: FireOptions,
): Promise<Fired> {
  const { name } = options;
  for (let race = 0; race < MOST_RACES; race++) {
    const row = requireTrigger(database, name);
    assertEnabled(row);
    const reason = await reasonOf(powers, row, options.onTime);
    if ("skipped" in reason) return reason;
    const plan = await planOf(powers, observer, row, options);
    const taken: FiringState = {
      last_run_id: plan.id,
      last_ran_at: powers.clock.iso(),
      last_fingerprint: reason.fingerprint,
      next_due_at: reason.nextDue,
    };
    if (!(await database.write((tx) => takeFiring(tx, row, taken)))) continue;
    const run = await started<RunReport | BackgroundRun>(database, observer, plan.id, {
      start: () =>
        options.background === true
          ? startInBackground(powers, database, plan)
          : runThroughQuotas(powers, observer, database, plan),
      restore: () => database.write((tx) => restoreFiring(tx, row, taken)),
    });
    return { run, missed: reason.missed };
  }
  throw new PalliumError("trigger_busy", `others keep firing workflow trigger ${name}`, {
    hints: ["see what it started: pallium workflow list"],
  });
}

function assertEnabled({ name, enabled }: TriggerRow): void {
  if (enabled === 1) return;
  throw new PalliumError("trigger_disabled", `workflow trigger "${name}" is disabled`, {
    hints: [`switch it on: pallium workflow trigger enable ${name}`],
  });
}

async function reasonOf(
  powers: WorkflowPowers,
  row: TriggerRow,
  onTime: boolean,
): Promise<Reason | { readonly skipped: SkippedTrigger }> {
  const schedule = storedSchedule(row);
  const asBefore = { nextDue: row.next_due_at, missed: 0 };
  if (schedule !== undefined) {
    if (!onTime) return { ...asBefore, fingerprint: row.last_fingerprint };
    const now = powers.clock.now();
    const due = new Date(row.next_due_at ?? now);
    if (due > now) return { skipped: skip(row, "not_due") };
    const { missed, next } = (await openSchedule(schedule)).pass(due, now);
    return { fingerprint: row.last_fingerprint, nextDue: next.toISOString(), missed };
  }
  if (row.kind === "manual") return { ...asBefore, fingerprint: row.last_fingerprint };
  const fingerprint =
    row.kind === "on-commit"
      ? await commitFingerprint(powers.git, row.cwd)
      : await contentFingerprint(powers.git, row.cwd, pathsOf(row));
  return fingerprint === undefined || fingerprint === row.last_fingerprint
    ? { skipped: skip(row, "unchanged") }
    : { ...asBefore, fingerprint };
}

function skip(row: TriggerRow, reason: SkippedTrigger["reason"]): SkippedTrigger {
  return {
    last_run_id: row.last_run_id ?? "",
    name: row.name,
    ...(reason === "not_due" ? optional({ next_due_at: row.next_due_at ?? undefined }) : {}),
    reason,
    skipped: true,
  };
}

function planOf(
  powers: WorkflowPowers,
  observer: RunObserver,
  row: TriggerRow,
  options: FireOptions,
) {
  return planRun(powers, observer, {
    ...optional({
      db: options.db,
      workflow: row.workflow_name ?? undefined,
      script: row.script_path ?? undefined,
      args: row.args_json ?? undefined,
    }),
    allow_network: options.allow_network === true,
    id: options.id ?? powers.ids.next(`wf-${row.name.slice(0, NAME_IN_ID)}`),
    task: row.task,
    cwd: row.cwd,
  });
}

/** A run that does not come to have a row did not happen; one that starts and fails did. */
async function started<Run>(
  database: Database,
  observer: RunObserver,
  id: string,
  { start, restore }: { start: () => Promise<Run>; restore: () => Promise<void> },
): Promise<Run> {
  const before = rowTime(database, id);
  try {
    return await start();
  } catch (error) {
    if (rowTime(database, id) === before) {
      await restore().catch((failure) => {
        observer.warn(`the trigger still counts as fired: ${messageOf(failure)}`);
      });
    }
    throw error;
  }
}

/** When a run's row was last written; `undefined` where there is none. */
function rowTime(database: Database, id: string): string | undefined {
  const sql = "SELECT updated_at FROM workflow_runs WHERE id = ?";
  return database.get<{ updated_at: string }>(sql, id)?.updated_at;
}
