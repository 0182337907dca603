/** What was staged comes into a checkout in which the user works too, and goes out again. */
import { PalliumError } from "../../../src/lib/errors.ts";
import { applyBenchAround } from "../apply-bench.ts";
import { type EditBench, filesBelow } from "../edit-bench.ts";
import { expectSame, type Staged } from "./edit-expect.ts";
import { type Model, mergeModels } from "./edit-model.ts";
import { bringFiles, changeModel } from "./edit-moves.ts";
import type { Random } from "./random.ts";

/**
 * Changes the checkout as a user does, applies what is staged, and reverts it.
 * @returns whether the model has both go together.
 * @throws Error that says what came out otherwise than in the model.
 */
export async function applyCase(
  bench: EditBench,
  chance: Random,
  base: Staged,
  staged: Staged,
): Promise<boolean> {
  const root = bench.repo.path;
  const user = userModel(chance, base.model);
  bringFiles(root, base.model, user);
  const { merged, conflicts } = mergeModels(base.model, user, staged.model);
  // Closing the bench is up to its owner: this only lends it.
  const work = await applyBenchAround(bench);
  try {
    const applied = await work.apply([base.tree, staged.tree]).then(
      () => true,
      (error) => {
        if (error instanceof PalliumError && error.code === "checkout_conflict") return false;
        throw error;
      },
    );
    if (applied !== (conflicts.size === 0)) {
      throw new Error(`${applied ? "" : "not "}applied, expected: ${[...conflicts].join(", ")}`);
    }
    expectSame("the checkout", await filesBelow(root), applied ? merged : user);
    if (applied) await work.revert();
    expectSame("the reverted checkout", await filesBelow(root), user);
    return applied;
  } finally {
    work.ledger.close();
  }
}

function userModel(chance: Random, base: Model): Model {
  if (chance.percent(40)) return changeModel(chance, base, "user");
  const model = new Map(base);
  if (!model.has("unrelated")) model.set("unrelated", { mode: "100644", whole: "mine\n" });
  return model;
}
