/** Brings what a run edited into the user's checkouts; all of them are looked at before one is touched. */
import { PalliumError } from "../../lib/errors.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { createPatchScan } from "../../secrets/patch-scan.ts";
import { planChange, stepsOf } from "../edits/checkout/apply-plan.ts";
import type { Step } from "../edits/checkout/plan-steps.ts";
import { inverted } from "../edits/checkout/revert-plan.ts";
import { changeAll, type PlannedChange } from "./change-all.ts";
import type { EditContext, EditRepo } from "./edit-repos.ts";
import { openEditRepos } from "./open-repos.ts";
import { appliedTree, patchPaths, type RepoRecord } from "./records.ts";
import { assertNoSecrets } from "./secret-gate.ts";

/**
 * Applies all that is staged and not applied yet; without effect where there is nothing.
 * @param mayTakeBack whether the last execution came to its end: then what an earlier one applied and
 *   this one no longer edits goes.
 * @returns paths of the patches that were applied by this.
 * @throws PalliumError `secret_in_patch`, `checkout_conflict`, `edits_incomplete`, `repo_locked`:
 *   nothing was applied; and those of `performChange`.
 */
export async function applyEdits(
  context: EditContext,
  mayTakeBack: boolean,
): Promise<readonly string[]> {
  const { database, powers, runId, warn } = context;
  const isPending = (record: RepoRecord) => record.staged.tree !== appliedTree(record);
  const repos = await openEditRepos(context, isPending);
  for (const { record } of repos) if (!mayTakeBack) assertGrows(record, runId);
  const gate = { scanPatch: createPatchScan(), variables: powers.environment.variables, warn };
  for (const { record, store } of repos) {
    await assertNoSecrets(gate, store, appliedTree(record), record.staged.tree);
  }
  const planned: PlannedChange[] = [];
  for (const repo of repos) planned.push(application(repo, await stepsFor(context, repo)));
  await changeAll(context, planned);
  return repos.flatMap(({ record }) => patchPaths(database, newCalls(record)));
}

function application(repo: EditRepo, steps: readonly Step[]): PlannedChange {
  const { tree, calls } = repo.record.staged;
  return {
    repo,
    change: { kind: "apply", steps, note: { tree, calls, applications: [] } },
    undo: ({ id }) => ({
      kind: "revert",
      steps: steps.map(inverted),
      note: { tree: appliedTree(repo.record), calls: newCalls(repo.record), applications: [id] },
    }),
  };
}

async function stepsFor({ runId, warn }: EditContext, { record, place, store }: EditRepo) {
  const plan = await planChange(store, place.root, appliedTree(record), record.staged.tree);
  const steps = stepsOf(plan, `apply the edits of ${runId}`);
  for (const path of plan.submodules)
    warn(`${visibleName(path)} is a nested repository; it is left as it is`);
  return steps;
}

function newCalls({ staged, applications }: RepoRecord): readonly string[] {
  const before = new Set(applications.at(-1)?.calls);
  return staged.calls.filter((callId) => !before.has(callId));
}

/** An execution that was cut short may lack edits that an earlier one made; they are not taken back for that. */
function assertGrows({ staged, applications }: RepoRecord, runId: string): void {
  const missing = (applications.at(-1)?.calls ?? []).filter((id) => !staged.calls.includes(id));
  if (missing.length === 0) return;
  throw new PalliumError(
    "edits_incomplete",
    `the last execution of ${runId} did not come as far as the one whose edits are applied`,
    { hints: [`finish it first: pallium workflow resume ${runId}`] },
  );
}
