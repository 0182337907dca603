/** Takes what was applied of a run out of the user's checkouts. */
import { stepsOf } from "../edits/checkout/apply-plan.ts";
import type { Step } from "../edits/checkout/plan-steps.ts";
import { inverted, planRevert } from "../edits/checkout/revert-plan.ts";
import { changeAll, type PlannedChange } from "./change-all.ts";
import type { EditContext, EditRepo } from "./edit-repos.ts";
import { openEditRepos } from "./open-repos.ts";
import { appliedTree, patchPaths } from "./records.ts";

/**
 * Brings the files back to what they were before the run's edits were applied; what the user changed
 * since then stays, where it goes together with that. Without effect where nothing is applied.
 * @returns paths of the patches that were reverted.
 * @throws PalliumError `checkout_conflict`, `repo_locked`: nothing was reverted; and those of
 *   `performChange`.
 */
export async function revertEdits(context: EditContext): Promise<readonly string[]> {
  const { database, runId } = context;
  const repos = await openEditRepos(context, ({ applications }) => applications.length > 0);
  const planned: PlannedChange[] = [];
  for (const repo of repos) {
    const done = repo.record.applications.map(({ steps }) => steps).reverse();
    const plan = await planRevert(repo.store, repo.place.root, done);
    planned.push(reversion(repo, stepsOf(plan, `revert the edits of ${runId}`)));
  }
  await changeAll(context, planned);
  return repos.flatMap((repo) => patchPaths(database, callsOf(repo))).reverse();
}

function reversion(repo: EditRepo, steps: readonly Step[]): PlannedChange {
  const { base, applications } = repo.record;
  const calls = callsOf(repo);
  const ids = applications.map(({ id }) => id);
  return {
    repo,
    change: { kind: "revert", steps, note: { tree: base.start, calls, applications: ids } },
    undo: () => ({
      kind: "apply",
      steps: steps.map(inverted),
      note: { tree: appliedTree(repo.record), calls, applications: [] },
    }),
  };
}

/** Of every application, each once. */
function callsOf({ record }: EditRepo): readonly string[] {
  return [...new Set(record.applications.flatMap(({ calls }) => calls))];
}
