/** Records that nobody will ask for any more go when new ones come. */
import type { Clock } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";

/** For so long a task that nobody uses can still be said to have expired. */
const TASK_DAYS = 90;
/** Reports show five; the rest tells how often which command failed, and how long it took. */
const RUNS_KEPT = 1000;
/** Outputs may be megabytes each. */
const OUTPUTS_KEPT = 50;

const DAY_MS = 86_400_000;

export function pruneTasks(tx: Transaction, clock: Clock): void {
  const oldest = new Date(clock.now().getTime() - TASK_DAYS * DAY_MS).toISOString();
  tx.run("DELETE FROM tasks WHERE used_at < ?", oldest);
}

export function pruneVerificationRuns(tx: Transaction): void {
  const newest = "SELECT id FROM verification_runs ORDER BY ran_at DESC, id DESC LIMIT ?";
  tx.run(`DELETE FROM verification_runs WHERE id NOT IN (${newest})`, RUNS_KEPT);
  tx.run(
    `UPDATE verification_runs SET output = '' WHERE output <> '' AND id NOT IN (${newest})`,
    OUTPUTS_KEPT,
  );
}
