/** A checkout of a user's, and what a run edited for it. */
import { systemClock } from "../../src/platform/clock.ts";
import { planChange, stepsOf } from "../../src/workflow/edits/checkout/apply-plan.ts";
import {
  type ChangePowers,
  type EndedChange,
  performChange,
} from "../../src/workflow/edits/checkout/perform-change.ts";
import type { EditPlan } from "../../src/workflow/edits/checkout/plan-steps.ts";
import { type Recovery, recoverChanges } from "../../src/workflow/edits/checkout/recover.ts";
import { planRevert } from "../../src/workflow/edits/checkout/revert-plan.ts";
import { type Ledger, openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { acquireRepoLock } from "../../src/workflow/edits/locks/repo-lock.ts";
import { changeTree } from "../../src/workflow/edits/trees/tree.ts";
import { type EditBench, type Files, filesBelow, newEditBench } from "./edit-bench.ts";

type Trees = readonly [from: string, to: string];

export interface ApplyBench extends AsyncDisposable {
  readonly bench: EditBench;
  readonly ledger: Ledger;
  /** Top of the user's checkout. */
  readonly root: string;
  /** What runs were told, in that order. */
  readonly told: readonly EndedChange[];
  /** The trees before and after a script that a worker runs, from the base or another tree on. */
  edit(script: string, tree?: string): Promise<Trees>;
  /** Runs a script in the user's checkout. */
  user(script: string): Promise<string>;
  files(): Promise<Files>;
  plan(trees: Trees): Promise<EditPlan>;
  apply(trees: Trees, changes?: Partial<ChangePowers>): Promise<EndedChange>;
  /** Takes back what was told, the newest first. */
  revert(ended?: readonly EndedChange[], changes?: Partial<ChangePowers>): Promise<EndedChange>;
  perform(plan: EditPlan, changes?: Partial<ChangePowers>, what?: Change): Promise<EndedChange>;
  recover(): Promise<Recovery>;
}

type Change = Partial<Parameters<typeof performChange>[1]>;

export async function applyBench(
  files: Parameters<typeof newEditBench>[0],
  options?: Parameters<typeof newEditBench>[1],
): Promise<ApplyBench> {
  return applyBenchAround(await newEditBench(files, options));
}

/** The checkout of a bench, which is removed with it. */
export async function applyBenchAround(bench: EditBench): Promise<ApplyBench> {
  const { store, commonDir, git, repo } = bench;
  const root = repo.path;
  const clock = systemClock();
  const ledger = await openLedger(commonDir);
  const told: EndedChange[] = [];
  const tell = async (ended: EndedChange) => void told.push(ended);

  const perform: ApplyBench["perform"] = async (plan, changes = {}, what = {}) => {
    const change = { runId: "wf", root, kind: "apply", note: "{}", ...what } as const;
    const steps = stepsOf(plan, `${change.kind} the edits of wf`);
    const lock = await acquireRepoLock(ledger, { runId: "wf", root, clock });
    try {
      const powers = { ledger, commonDir, lock, store, clock, tell, ...changes };
      return await performChange(powers, { ...change, steps });
    } finally {
      await lock.release();
    }
  };
  const plan = ([from, to]: Trees) => planChange(store, root, from, to);
  return {
    bench,
    ledger,
    root,
    told,
    async edit(script, tree) {
      const worktree = await bench.open(tree);
      await bench.shell(worktree.root, script);
      const { changes } = await bench.capture(worktree);
      await bench.remove(worktree);
      return [worktree.tree, await changeTree(store, worktree.tree, changes)];
    },
    user: (script) => bench.shell(root, script),
    files: () => filesBelow(root),
    plan,
    perform,
    apply: async (trees, changes) => perform(await plan(trees), changes),
    async revert(ended = told.toReversed(), changes = {}) {
      const applied = ended.map(({ steps }) => steps);
      return perform(await planRevert(store, root, applied), changes, { kind: "revert" });
    },
    recover: () => recoverChanges({ git, ledger, commonDir, clock, tell }, "wf-next"),
    async [Symbol.asyncDispose]() {
      ledger.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}
