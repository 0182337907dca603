/**
 * A process of its own that changes a checkout, and dies or has no space left at a given step:
 * `edit-apply-child <work as JSON>`. Prints how it ended, and which steps it took.
 */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorData, PalliumError } from "../../src/lib/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { planChange, stepsOf } from "../../src/workflow/edits/checkout/apply-plan.ts";
import {
  type EndedChange,
  performChange,
} from "../../src/workflow/edits/checkout/perform-change.ts";
import type { Step } from "../../src/workflow/edits/checkout/plan-steps.ts";
import { recoverChanges } from "../../src/workflow/edits/checkout/recover.ts";
import { planRevert } from "../../src/workflow/edits/checkout/revert-plan.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
} from "../../src/workflow/edits/checkout/write-steps.ts";
import { type Ledger, openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { acquireRepoLock } from "../../src/workflow/edits/locks/repo-lock.ts";
import { openTreeStore } from "../../src/workflow/edits/trees/tree-store.ts";
import { GIT_VARIABLES } from "./repository.ts";

export interface ChildWork {
  readonly runId: string;
  readonly root: string;
  readonly objects: string;
  /** File that gets what runs are told. */
  readonly told: string;
  readonly apply?: readonly [from: string, to: string];
  readonly revert?: readonly (readonly Step[])[];
  readonly fault?: Fault;
}

export interface Fault {
  /** Number of the step, from 1; each operation on the ledger or a file has one before and one after it. */
  readonly at: number;
  /** Ends the process; has no space once, or from then on. */
  readonly kind: "kill" | "full once" | "full";
}

const [argument = ""] = process.argv.slice(2);
const work = JSON.parse(argument) as ChildWork;
const { runId, root, objects } = work;
const clock = systemClock();
const passed: string[] = [];

/** One moment at which a fault may come. */
function pass(what: string): void {
  passed.push(what);
  const step = passed.length;
  const { at = 0, kind = "kill" } = work.fault ?? {};
  if (kind === "kill" && step === at) process.kill(process.pid, "SIGKILL");
  const isFull = kind === "full once" ? step === at : kind === "full" && at > 0 && step >= at;
  if (isFull) throw new PalliumError("disk_full", `no space left: ${what}`);
}

function withFaults(ledger: Ledger): Ledger {
  return {
    ...ledger,
    write: async (transaction) => {
      pass(`write ${passed.length}`);
      const result = await ledger.write(transaction);
      if (work.fault?.kind === "kill") pass(`written ${passed.length}`);
      return result;
    },
  };
}

const files: CheckoutFiles = {
  async stage(...args) {
    pass("stage");
    const [folder, temporary] = args;
    await writeFile(join(folder, temporary), "half");
    pass("half of it");
    await rename(join(folder, temporary), join(work.objects, "half"));
    await CHECKOUT_FILES.stage(...args);
    pass("staged");
  },
  async move(...args) {
    pass("move");
    await CHECKOUT_FILES.move(...args);
    pass("moved");
  },
  async remove(...args) {
    pass("remove");
    await CHECKOUT_FILES.remove(...args);
    pass("removed");
  },
};

async function tell(ended: EndedChange): Promise<void> {
  pass("tell");
  await writeFile(work.told, JSON.stringify(ended));
  pass("told");
}

async function perform(): Promise<unknown> {
  const git = createGit(GIT_VARIABLES);
  const commonDir = join(root, ".git");
  const ledger = withFaults(await openLedger(commonDir));
  if (work.apply === undefined && work.revert === undefined) {
    return recoverChanges({ git, ledger, commonDir, clock, tell, files }, runId);
  }
  const store = await openTreeStore(git, commonDir, objects);
  const lock = await acquireRepoLock(ledger, { runId, root, clock });
  const kind = work.apply === undefined ? "revert" : "apply";
  const plan =
    work.apply === undefined
      ? await planRevert(store, root, work.revert ?? [])
      : await planChange(store, root, ...work.apply);
  const steps = stepsOf(plan, `${kind} the edits of ${runId}`);
  const powers = { ledger, commonDir, lock, store, clock, tell, files };
  return performChange(powers, { runId, root, kind, note: "{}", steps });
}

const end = await perform().catch(errorData);
process.stdout.write(JSON.stringify({ end, steps: passed }));
process.exit(0);
