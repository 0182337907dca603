/** The task that somebody works on in this working tree. */
import { assertGoalIsWhole, EVERYTHING, parseScope } from "./analysis/scope.ts";
import type { OpenRepository } from "./open-repository.ts";
import type { RepoObserver, RepoPowers } from "./powers.ts";
import { openRecords, readRecords } from "./records/open.ts";
import { taskPlace } from "./records/task-place.ts";
import { clearTask, readTask, startTask, useTask } from "./records/tasks.ts";
import { type TaskStatus, taskStatus } from "./reports/task-status.ts";
import type { RepoRequest, TaskStartRequest } from "./requests.ts";
import { scopeBase } from "./scope-base.ts";
import { withRepository } from "./with-repository.ts";

export interface TaskCleared {
  readonly status: "cleared";
}

/** Puts a task in force in place of the one there was, which is named. */
export async function taskStart(
  powers: RepoPowers,
  request: TaskStartRequest,
  observer: RepoObserver,
): Promise<TaskStatus> {
  return withRepository(powers, request, observer, async ({ open, view }) => {
    const base = scopeBase(powers.environment.cwd, open.repository.root, view.files);
    assertGoalIsWhole(request.goal, request.scope, base);
    const scope = parseScope(request.scope, base);
    const unknown = scope.filter((entry) => isPlain(entry) && !base.exists(entry));
    if (unknown.length > 0) {
      observer.warn(
        `the repository has nothing of this name yet: ${unknown.join(", ")}; a goal of several words is written in quotes`,
      );
    }
    using records = await openRecords(open.repository, recordsPowers(powers, observer));
    const { goal, expires } = request;
    const started = await startTask(records, placeOf(open), { goal, scope, expires }, powers.clock);
    if (started.replaced !== undefined) {
      observer.notice(`it takes the place of the task: ${started.replaced.goal}`);
    }
    return taskStatus({ active: started.task });
  });
}

/** The task in force, or the one that has expired; asking counts as a use. */
export async function taskShow(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
): Promise<TaskStatus> {
  return withRepository(powers, request, observer, async ({ open }) => {
    using records = await readRecords(open.repository, recordsPowers(powers, observer));
    await useTask(records, placeOf(open), powers.clock);
    return taskStatus(readTask(records, placeOf(open), powers.clock));
  });
}

/** Ends the task, whether it is in force or has expired. */
export async function taskClear(
  powers: RepoPowers,
  request: RepoRequest,
  observer: RepoObserver,
): Promise<TaskCleared> {
  return withRepository(powers, request, observer, async ({ open }) => {
    if (await hasTask(powers, open, observer)) {
      using records = await openRecords(open.repository, recordsPowers(powers, observer));
      await clearTask(records, placeOf(open), powers.clock);
    }
    return { status: "cleared" };
  });
}

/** Looked at first, so that clearing nothing writes nothing. */
async function hasTask(
  powers: RepoPowers,
  open: OpenRepository,
  observer: RepoObserver,
): Promise<boolean> {
  using records = await readRecords(open.repository, recordsPowers(powers, observer));
  const { active, expired } = readTask(records, placeOf(open), powers.clock);
  return active !== undefined || expired !== undefined;
}

/** Whether a scope entry names one file or folder. */
function isPlain(entry: string): boolean {
  return entry !== EVERYTHING && !/[*?[\\!]/.test(entry);
}

function recordsPowers({ clock }: RepoPowers, { notice }: RepoObserver) {
  return { clock, notice };
}

/** Where the task of a repository as it is checked out is kept. */
export function placeOf({ working, repository }: OpenRepository): string {
  return taskPlace(working.branch === "HEAD" ? undefined : working.branch, repository.root);
}
