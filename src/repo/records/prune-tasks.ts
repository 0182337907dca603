import type { Clock } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/sqlite/database.ts";

/** For so long a task that nobody uses can still be said to have expired. */
const TASK_DAYS = 90;
const DAY_MS = 86_400_000;

/** Tasks that nobody will ask for any more go when a new one comes. */
export function pruneTasks(tx: Transaction, clock: Clock): void {
  const oldest = new Date(clock.now().getTime() - TASK_DAYS * DAY_MS).toISOString();
  tx.run("DELETE FROM tasks WHERE used_at < ?", oldest);
}
