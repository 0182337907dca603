/** A process of its own that takes locks of a repository: `bun edits-child.ts lock <git dir> <run>`. */
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { errorData } from "../../src/lib/errors.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { planChange } from "../../src/workflow/edits/checkout/apply-plan.ts";
import { openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { acquireRepoLock } from "../../src/workflow/edits/locks/repo-lock.ts";
import { withRepoMutex } from "../../src/workflow/edits/locks/repo-mutex.ts";
import { openTreeStore } from "../../src/workflow/edits/trees/tree-store.ts";
import { giveUpRoot } from "./give-up-root.ts";
import { GIT_VARIABLES } from "./repository.ts";

const [action = "", commonDir = "", runId = ""] = process.argv.slice(2);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line: string) => process.stdout.write(`${line}\n`);
const request = { runId, root: "/repository", clock: systemClock() };

const ACTIONS: Record<string, () => Promise<unknown>> = {
  async lock() {
    const ledger = await openLedger(commonDir);
    say("ready");
    await input.next();
    const lock = await acquireRepoLock(ledger, request).catch((error) => errorData(error).code);
    say(typeof lock === "string" ? lock : "held");
    await input.next();
    if (typeof lock !== "string") await lock.release();
    say("released");
  },

  async unprivileged() {
    giveUpRoot();
    const ledger = await openLedger(commonDir).catch(errorData);
    say(JSON.stringify(ledger));
  },

  /** `<git dir>` and, as JSON, folder of objects and trees: what may be done by whom permissions apply to. */
  async plan() {
    giveUpRoot();
    const [objects = "", from = "", to = ""] = JSON.parse(runId);
    const store = await openTreeStore(createGit(GIT_VARIABLES), commonDir, objects);
    say(JSON.stringify(await planChange(store, dirname(commonDir), from, to)));
  },

  async mutex() {
    const ledger = await openLedger(commonDir);
    say("ready");
    await input.next();
    await withRepoMutex(ledger, { ...request, name: "worktree" }, async () => {
      say("inside");
      await input.next();
    });
    say("outside");
  },
};

await ACTIONS[action]?.();
process.exit(0);
