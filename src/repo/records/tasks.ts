/** The task that somebody works on, at one place at a time; see `task-place.ts`. */
import { parseDuration } from "../../lib/duration.ts";
import { PalliumError } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import type { RecordsReader } from "./open.ts";
import { pruneTasks } from "./prune-tasks.ts";

/** How long a task stays in force when nothing uses it. */
const DEFAULT_EXPIRY_MS = 4 * 60 * 60 * 1000;
/** A use is put on record once in this time, so that reading commands seldom write. */
const USE_GRAIN_MS = 60_000;

export interface Task {
  readonly goal: string;
  /** Entries for `createScope`. */
  readonly scope: readonly string[];
  /** Times are UTC with milliseconds. */
  readonly startedAt: string;
  readonly usedAt: string;
  /** When it stops being in force, unless it is used before. */
  readonly expiresAt: string;
}

/** What is on record of a place: at most one of the two. */
export interface TaskState {
  readonly active?: Task;
  /** One that nobody has used for too long, and nobody cleared. */
  readonly expired?: Task;
}

export interface NewTask {
  readonly goal: string;
  readonly scope: readonly string[];
  /** Such as `30m`; four hours where it is left out. */
  readonly expires?: string | undefined;
}

interface TaskRow {
  readonly goal: string;
  readonly scope: string;
  readonly started_at: string;
  readonly used_at: string;
  readonly expires_after_ms: number;
}

/**
 * Puts a task in force, in place of the one there was.
 * @returns the task, and the one it replaced if that was still in force.
 * @throws PalliumError `task_goal_missing`, `bad_duration`, those of the database.
 */
export async function startTask(
  database: Database,
  place: string,
  task: NewTask,
  clock: Clock,
): Promise<{ readonly task: Task; readonly replaced: Task | undefined }> {
  const row = newRow(task, clock.iso());
  const replaced = await database.write((tx) => {
    const { active } = readTask(tx, place, clock);
    pruneTasks(tx, clock);
    tx.run(
      `INSERT OR REPLACE INTO tasks (place, goal, scope, started_at, used_at, expires_after_ms)
       VALUES (?, ?, ?, ?, ?, ?)`,
      place,
      row.goal,
      row.scope,
      row.started_at,
      row.used_at,
      row.expires_after_ms,
    );
    return active;
  });
  return { task: toTask(row), replaced };
}

function newRow(task: NewTask, now: string): TaskRow {
  const goal = task.goal.trim();
  if (goal === "") {
    throw new PalliumError("task_goal_missing", "a task needs a goal", {
      exitCode: 2,
      hints: ['say what is to be done: pallium task start "<goal>" [scope...]'],
    });
  }
  return {
    goal,
    scope: JSON.stringify(task.scope),
    started_at: now,
    used_at: now,
    expires_after_ms: expiryMs(task.expires),
  };
}

function expiryMs(text: string | undefined): number {
  if (text === undefined) return DEFAULT_EXPIRY_MS;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new PalliumError("bad_duration", `not a length of time: ${JSON.stringify(text)}`, {
    exitCode: 2,
    hints: ["write it as 90s, 30m, 4h or 2d, up to a year"],
  });
}

/** The task of a place, in force or expired; neither where none was started. */
export function readTask(reader: Reader, place: string, clock: Clock): TaskState {
  const row = reader.get<TaskRow>("SELECT * FROM tasks WHERE place = ?", place);
  if (row === undefined) return {};
  const task = toTask(row);
  return task.expiresAt > clock.iso() ? { active: task } : { expired: task };
}

/**
 * Counts as a use, from which the time to its expiry runs anew. It is no more than that: where
 * the records cannot be written just now it is left to the next one.
 */
export async function useTask(records: RecordsReader, place: string, clock: Clock): Promise<void> {
  const { active } = readTask(records, place, clock);
  if (active === undefined || clock.now().getTime() - Date.parse(active.usedAt) < USE_GRAIN_MS) {
    return;
  }
  try {
    await records.write?.((tx) =>
      tx.run("UPDATE tasks SET used_at = ? WHERE place = ?", clock.iso(), place),
    );
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  }
}

function isInTheWay(error: unknown): boolean {
  if (!(error instanceof PalliumError)) return false;
  return ["database_locked", "database_readonly", "disk_full"].includes(error.code);
}

/** @returns what was in force, or had expired, until now. */
export function clearTask(database: Database, place: string, clock: Clock): Promise<TaskState> {
  return database.write((tx) => {
    const state = readTask(tx, place, clock);
    tx.run("DELETE FROM tasks WHERE place = ?", place);
    return state;
  });
}

function toTask(row: TaskRow): Task {
  const scope = parseJson(row.scope);
  return {
    goal: row.goal,
    scope: Array.isArray(scope) ? scope.map(String) : [],
    startedAt: row.started_at,
    usedAt: row.used_at,
    expiresAt: new Date(Date.parse(row.used_at) + row.expires_after_ms).toISOString(),
  };
}
