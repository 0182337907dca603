/** What `task start` and `task show` answer. */
import type { Task, TaskState } from "../records/tasks.ts";

export interface TaskStatus {
  /** Empty while no task is in force; so are the next two. */
  readonly goal: string;
  readonly scope_paths: readonly string[];
  readonly started_at: string;
  /** Only while one is. */
  readonly expires_at?: string;
  /** The task that was in force until nobody used it for too long. */
  readonly expired?: ExpiredTask;
}

export interface ExpiredTask {
  readonly goal: string;
  readonly scope_paths: readonly string[];
  readonly started_at: string;
  readonly expired_at: string;
}

/** The task in force; without one the empty task, with the one that has expired. */
export function taskStatus({ active, expired }: TaskState): TaskStatus {
  if (active !== undefined) return { ...outline(active), expires_at: active.expiresAt };
  return {
    goal: "",
    scope_paths: [],
    started_at: "",
    ...(expired === undefined
      ? {}
      : { expired: { ...outline(expired), expired_at: expired.expiresAt } }),
  };
}

function outline({ goal, scope, startedAt }: Task) {
  return { goal, scope_paths: scope, started_at: startedAt };
}
