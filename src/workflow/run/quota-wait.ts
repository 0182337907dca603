/** Goes on with a run that paused for a quota, as often as it takes, once the quota is back. */
import { sleep } from "../../platform/sleep.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { QUOTA_PAUSE } from "./breaker.ts";
import type { ControlAction } from "./control.ts";
import { endFromOutside } from "./end-from-outside.ts";
import { type PlannedRun, readScript } from "./request.ts";
import { type RunReport, runReport } from "./run-report.ts";
import { runWorkflow } from "./run-workflow.ts";
import { requireRun } from "./store.ts";

/** How long to wait where nobody knows until when. */
const UNKNOWN_WAIT_MS = 15 * 60_000;
/** A reset that is further away is not waited for in one piece: the quota may be raised before. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** How often the row is looked at; the time of day is read anew, since machines sleep. */
const LOOK_MS = 250;

type WaitEnd = ControlAction | "over" | "taken";

/** Runs a plan and, where the user asked to wait for quotas, each execution that follows from it. */
export async function runThroughQuotas(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  plan: PlannedRun,
): Promise<RunReport> {
  const waits = plan.limits.resume_after_quota ?? plan.settings.limits.resume_after_quota;
  let report = await runWorkflow(powers, observer, database, plan);
  while (waits === true && isQuotaPause(report)) {
    const end = await waitForQuota(powers, observer, database, report);
    if (end !== "over") return endedWait(powers, observer, database, plan, end);
    const script = await readScript(requireRun(database, plan.id).script_path);
    const next = {
      ...plan,
      script: { ...script, name: plan.script.name },
      leftAt: report.snapshot.run.updated_at,
    };
    report = await runWorkflow(powers, observer, database, next);
  }
  return report;
}

function isQuotaPause({ snapshot: { run } }: RunReport): boolean {
  return run.status === "paused" && run.error_code === QUOTA_PAUSE;
}

async function waitForQuota(
  { clock }: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  { snapshot: { run } }: RunReport,
): Promise<WaitEnd> {
  const now = clock.now().getTime();
  const until = now + quotaWaitMs(run.resume_after, now);
  const woken = new AbortController();
  let asked: ControlAction | undefined;
  const forget = observer.onInterrupt((action) => {
    asked = action;
    woken.abort();
  });
  observer.notice(
    `[workflow:${run.id}] ${run.error}; waiting until ${new Date(until).toISOString()}, Ctrl-C ends the wait`,
  );
  try {
    for (;;) {
      if (asked !== undefined) return asked;
      if (requireRun(database, run.id).updated_at !== run.updated_at) {
        observer.notice(`[workflow:${run.id}] not waited for any more: another process saw to it`);
        return "taken";
      }
      const left = until - clock.now().getTime();
      if (left <= 0) return "over";
      await sleep(Math.min(left, LOOK_MS), woken.signal);
    }
  } finally {
    forget();
  }
}

/** Milliseconds to wait for a quota that comes back at a time, or at one nobody knows. */
export function quotaWaitMs(resumeAfter: string | undefined, nowMs: number): number {
  if (resumeAfter === undefined) return UNKNOWN_WAIT_MS;
  return Math.min(LONGEST_WAIT_MS, Math.max(0, Date.parse(resumeAfter) - nowMs));
}

/** The wait ended before its time: the row says what became of the run, unless it is ours to say. */
async function endedWait(
  powers: WorkflowPowers,
  observer: RunObserver,
  database: Database,
  plan: PlannedRun,
  end: ControlAction | "taken",
): Promise<RunReport> {
  if (end === "taken") return runReport(database, plan, observer, undefined, new Set());
  if (end === "stop") await endFromOutside(powers, database, plan.id, end);
  return runReport(database, plan, observer, end, new Set());
}
