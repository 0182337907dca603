/**
 * Random repositories in which up to five workers edit at once: what each did is taken, merged in
 * some order, applied and reverted, and compared byte for byte with a model.
 */
import { byText } from "../../../src/lib/by-text.ts";
import { decodePath } from "../../../src/lib/git-path.ts";
import { mergeTrees } from "../../../src/workflow/edits/trees/merge-trees.ts";
import type { WorkingTree } from "../../../src/workflow/edits/worktrees/working-tree-changes.ts";
import { type EditBench, editBench, filesBelow } from "../edit-bench.ts";
import { testRepository } from "../repository.ts";
import { applyCase } from "./apply-case.ts";
import { expectSame, expectTree, type Staged } from "./edit-expect.ts";
import { mergeModels } from "./edit-model.ts";
import { bringFiles, changeModel, randomModel } from "./edit-moves.ts";
import { type Random, random } from "./random.ts";

export interface EditCase {
  readonly workers: number;
  readonly conflicts: number;
  /** Whether it could be applied to the user's checkout, and was reverted. */
  readonly applied: boolean;
}

interface Worker {
  readonly name: string;
  readonly worktree: WorkingTree;
  readonly seeded: Staged;
}

const MOST_WORKERS = 5;
/** How a worker leaves its index; the last one commits what it made first, and then goes on. */
const ENDINGS = [
  "",
  "",
  "git add -A",
  "git add -A; git commit -q --allow-empty -m work",
  "git add -A; git reset -q",
];

/**
 * Runs one random case.
 * @throws Error that says what came out otherwise than in the model.
 */
export async function editCase(seed: number): Promise<EditCase> {
  const chance = random(seed);
  const repo = await testRepository();
  const model = randomModel(chance);
  bringFiles(repo.path, new Map(), model);
  await repo.commit("Begin");
  await using bench = await editBench(repo);
  let staged: Staged = { tree: await bench.base(), model };
  await expectTree(bench, staged, "the base");

  const count = 1 + chance.below(MOST_WORKERS);
  const working: Worker[] = [];
  let [opened, conflicts] = [0, 0];
  while (opened < count || working.length > 0) {
    if (opened < count && (working.length === 0 || chance.percent(50))) {
      opened += 1;
      working.push(await begin(bench, `worker ${opened}`, staged));
      continue;
    }
    const [worker] = working.splice(chance.below(working.length), 1);
    if (worker === undefined) break;
    const next = await finish(bench, chance, worker, staged);
    if (next === undefined) conflicts += 1;
    else staged = next;
    await bench.remove(worker.worktree);
  }
  const last = await begin(bench, "the last one", staged);
  await bench.remove(last.worktree);
  const applied = await applyCase(bench, chance, { tree: await bench.base(), model }, staged);
  return { workers: count, conflicts, applied };
}

/** Opens a working tree, and expects what is staged in it. */
async function begin(bench: EditBench, name: string, staged: Staged): Promise<Worker> {
  const worktree = await bench.open(staged.tree);
  expectSame(`${name} begins with`, await filesBelow(worktree.root), staged.model);
  const status = await bench.shell(worktree.root, "git status --porcelain");
  if (status !== "") throw new Error(`${name} finds changes: ${status}`);
  return { name, worktree, seeded: staged };
}

/** Edits, captures and merges. @returns what is staged then; `undefined` after a conflict. */
async function finish(
  bench: EditBench,
  chance: Random,
  { name, worktree, seeded }: Worker,
  staged: Staged,
): Promise<Staged | undefined> {
  let mine = seeded.model;
  for (let round = 0; round < 1 + chance.below(2); round++) {
    const next = changeModel(chance, mine, `${name}.${round}`);
    bringFiles(worktree.root, mine, next);
    mine = next;
    await bench.shell(worktree.root, chance.pick(ENDINGS));
  }
  const { tree, skipped } = await bench.capture(worktree);
  if (skipped.length > 0) throw new Error(`${name} lost ${skipped.join(", ")}`);
  await expectTree(bench, { tree, model: mine }, `the capture of ${name}`);

  const merge = await mergeTrees(bench.store, seeded.tree, staged.tree, tree);
  const { merged, conflicts } = mergeModels(seeded.model, staged.model, mine);
  const expected = [...conflicts].map((path) => decodePath(Buffer.from(path, "latin1")));
  if (JSON.stringify(merge.conflicts) !== JSON.stringify(expected.sort(byText))) {
    throw new Error(`conflicts of ${name}: ${JSON.stringify({ got: merge.conflicts, expected })}`);
  }
  if (merge.conflicts.length === 0) {
    await expectTree(bench, { tree: merge.tree, model: merged }, `the merge of ${name}`);
    return { tree: merge.tree, model: merged };
  }
  if (merge.tree !== staged.tree) throw new Error(`the conflict of ${name} changed what is staged`);
  return undefined;
}
