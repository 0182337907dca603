import type { Place } from "./place.ts";
import type { RepoLocks } from "./run-edits.ts";

export function createRepoLocks(_runId: string): RepoLocks {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    hold: async () => {},
    alone: (_place: Place, work) => {
      const result = turn.then(work);
      turn = result.catch(() => {});
      return result;
    },
    close: async () => {},
  };
}
