/** What a run edited, for the user's checkout. */
import { PalliumError } from "../../../lib/errors.ts";
import { visibleName } from "../../../lib/visible-name.ts";
import { diffTrees } from "../trees/tree.ts";
import type { TreeStore } from "../trees/tree-store.ts";
import { type EditPlan, planSteps, type Step } from "./plan-steps.ts";

const MOST_NAMED = 20;

/**
 * Takes the change from one tree to another over into the checkout as it is. Files that differ from
 * both get a three-way merge.
 * @param root absolute top of the checkout.
 */
export async function planChange(
  store: TreeStore,
  root: string,
  from: string,
  to: string,
): Promise<EditPlan> {
  return planSteps(store, root, [await diffTrees(store, from, to)]);
}

/**
 * The steps of a plan, all of them or none.
 * @param what is to be done, as it reads after "cannot": "apply the edits of wf-1".
 * @throws PalliumError `checkout_conflict`, naming each file and why.
 */
export function stepsOf({ steps, conflicts }: EditPlan, what: string): readonly Step[] {
  if (conflicts.length === 0) return steps;
  const named = conflicts
    .slice(0, MOST_NAMED)
    .map(({ path, reason }) => visibleName(`${path}: ${reason}`));
  const rest = conflicts.length - named.length;
  const more = rest === 0 ? "" : `; and ${rest} more`;
  throw new PalliumError("checkout_conflict", `cannot ${what}: ${named.join("; ")}${more}`, {
    hints: ["nothing was changed", "commit or move away what is in the way, then try again"],
  });
}
