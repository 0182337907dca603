/** Takes back what was applied. */

import type { TreeStore } from "../trees/tree-store.ts";
import { type EditPlan, planSteps, type Step } from "./plan-steps.ts";

/**
 * Brings back what files were before they were applied to. What the user changed since then stays,
 * where it goes together with that.
 * @param root absolute top of the checkout.
 * @param applications steps that were really done, the newest application first.
 */
export function planRevert(
  store: TreeStore,
  root: string,
  applications: readonly (readonly Step[])[],
): Promise<EditPlan> {
  return planSteps(
    store,
    root,
    applications.map((steps) => steps.map(inverted)),
  );
}

/** The same step backwards. */
export function inverted({ path, before, after }: Step): Step {
  return { path, ...(after && { before: after }), ...(before && { after: before }) };
}
