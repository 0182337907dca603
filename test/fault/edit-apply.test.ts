/**
 * Whatever ends a change to the user's checkout, the next look makes it the old one or the new one,
 * byte for byte, never a mix; and its run is told which.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { readIntents } from "../../src/workflow/edits/checkout/intents.ts";
import type { EndedChange } from "../../src/workflow/edits/checkout/perform-change.ts";
import { type Recovery, recoverChanges } from "../../src/workflow/edits/checkout/recover.ts";
import { openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { mayBeUnfinished } from "../../src/workflow/edits/locks/ledger-folder.ts";
import { type ApplyBench, applyBench } from "../support/apply-bench.ts";
import type { ChildWork, Fault } from "../support/edit-apply-child.ts";
import { type Files, filesBelow } from "../support/edit-bench.ts";
import { runChange } from "../support/edit-changes.ts";
import { chosenSteps } from "../support/fault-points.ts";
import { GIT_VARIABLES } from "../support/repository.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const AT_ONCE = 2;
const TIMEOUT_MS = 300_000;

const BASE = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\n",
  "b.txt": "b\n",
  "binary.bin": new Uint8Array([0, 1, 2, 255]),
  "folder/c.txt": "c\n",
  "folder/deep/d.txt": "d\n",
  "was-file": "f\n",
  "was-folder/g": "g\n",
};
const TEN_PATCHES = [
  "sed -i 's/^one/ONE/' a.txt",
  "rm b.txt",
  "printf '\\000\\377' >binary.bin",
  "git mv folder moved",
  "rm was-file; mkdir was-file; echo in >was-file/in",
  "rm -r was-folder; echo file >was-folder",
  "ln -s a.txt link",
  "mkdir -p made/deep; echo n >made/deep/n",
  "echo x >>moved/c.txt; chmod +x moved/c.txt",
  "echo caf >\"$(printf 'caf\\351')\"",
];
const USER =
  "sed -i 's/^five/FIVE/' a.txt; git add a.txt; echo mine >mine; mkdir empty; mkdir -p made";

interface Prepared extends AsyncDisposable {
  readonly work: ApplyBench;
  readonly job: Pick<ChildWork, "apply" | "revert">;
  readonly before: State;
  readonly after: State;
}

/** Files and folders, and what the index says of them. */
interface State {
  readonly files: Files;
  readonly folders: string;
  readonly index: string;
}

async function stateOf(root: string): Promise<State> {
  const run = (script: string) =>
    Bun.spawn(["sh", "-ec", script], { cwd: root, env: { ...GIT_VARIABLES } }).stdout.text();
  return {
    files: await filesBelow(root),
    folders: await run("find . -name .git -prune -o -type d -print | sort"),
    index: await run("git ls-files --stage"),
  };
}

async function prepare(kind: "apply" | "revert"): Promise<Prepared> {
  const work = await applyBench(BASE);
  await work.user(USER);
  const trees = await work.edit(TEN_PATCHES.join("\n"));
  const old = await stateOf(work.root);
  const { steps } = await work.apply(trees);
  expect(steps.length).toBeGreaterThan(12);
  const fresh = await stateOf(work.root);
  if (kind === "revert") {
    const job = { revert: [steps] };
    const { steps: back } = await work.revert();
    const after = await stateOf(work.root);
    await work.perform({ steps: back.map(inverse), already: [], conflicts: [], submodules: [] });
    expect((await stateOf(work.root)).files).toEqual(fresh.files);
    const dispose = () => work[Symbol.asyncDispose]();
    return { work, job, before: fresh, after, [Symbol.asyncDispose]: dispose };
  }
  await work.revert();
  await work.user("mkdir -p made");
  expect(await stateOf(work.root)).toEqual(old);
  const dispose = () => work[Symbol.asyncDispose]();
  return { work, job: { apply: trees }, before: old, after: fresh, [Symbol.asyncDispose]: dispose };
}

function inverse<Entry>({ path, before, after }: { path: string; before?: Entry; after?: Entry }) {
  return { path, ...(after && { before: after }), ...(before && { after: before }) };
}

interface Copy extends AsyncDisposable {
  readonly dir: TempDir;
  readonly root: string;
  readonly child: Omit<ChildWork, "fault">;
}

async function copyOf({ work, job }: Prepared): Promise<Copy> {
  const dir = await tempDir();
  const [root, objects] = [dir.join("checkout"), dir.join("objects")];
  for (const [from, to] of [
    [work.root, root],
    [work.bench.store.objects, objects],
  ] as const) {
    expect(await Bun.spawn(["cp", "-a", from, to]).exited).toBe(0);
  }
  const child = { runId: "wf", root, objects, told: dir.join("told"), ...job };
  return { dir, root, child, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** What the next command does. */
async function recover({ root, child }: Copy): Promise<Recovery> {
  const commonDir = join(root, ".git");
  using ledger = await openLedger(commonDir);
  const tell = (ended: EndedChange) => Bun.write(child.told, JSON.stringify(ended)).then(() => {});
  const git = createGit(GIT_VARIABLES);
  const powers = { git, ledger, commonDir, clock: systemClock(), tell };
  const recovery = await recoverChanges(powers, "wf-next");
  expect(readIntents(ledger)).toEqual([]);
  expect(ledger.all("SELECT * FROM locks")).toEqual([]);
  expect(await mayBeUnfinished(commonDir)).toBe(false);
  return recovery;
}

async function toldOutcome({ child }: Copy): Promise<EndedChange["outcome"] | "nothing"> {
  const text = await readFile(child.told, "utf8").catch(() => undefined);
  return text === undefined ? "nothing" : (JSON.parse(text) as EndedChange).outcome;
}

/** The checkout is what its run was told, whole; a run that was told nothing finds it untouched. */
async function expectWhole(copy: Copy, { before, after }: Prepared): Promise<"old" | "new"> {
  const told = await toldOutcome(copy);
  const state = await stateOf(copy.root);
  expect(state).toEqual(told === "done" ? after : before);
  return told === "done" ? "new" : "old";
}

/** How the work ended with a fault at this step, by the number of the step. */
type Ends<T> = ReadonlyMap<number, T>;

/**
 * Runs the work with a fault at the steps chosen.
 * @param steps what each step of it is where nothing fails.
 */
async function atSteps<T>(
  steps: readonly string[],
  fail: (at: number) => Promise<T>,
): Promise<Ends<T>> {
  const ends = new Map<number, T>();
  const left = [...chosenSteps(steps)];
  const lane = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) ends.set(at, await fail(at));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return ends;
}

/** The steps of work that is not disturbed. */
async function stepsOf(copy: Copy, kind: Fault["kind"]): Promise<readonly string[]> {
  const { printed } = await runChange({ ...copy.child, fault: { at: 0, kind } });
  return printed?.steps ?? [];
}

/** The same where each test has a copy of its own. */
async function stepsOfCopy(prepared: Prepared, kind: Fault["kind"]): Promise<readonly string[]> {
  await using copy = await copyOf(prepared);
  return await stepsOf(copy, kind);
}

const prepared: { apply?: Prepared; revert?: Prepared } = {};

function preparedFor(kind: "apply" | "revert"): Prepared {
  const found = prepared[kind];
  if (found === undefined) throw new Error("nothing was prepared");
  return found;
}

beforeAll(async () => {
  [prepared.apply, prepared.revert] = await Promise.all([prepare("apply"), prepare("revert")]);
}, TIMEOUT_MS);

afterAll(async () => {
  for (const one of Object.values(prepared)) await one[Symbol.asyncDispose]();
});

test.each(["apply", "revert"] as const)(
  "killed at any step of %s: the old or the new, byte for byte (D4, P5)",
  async (kind) => {
    const prepared = preparedFor(kind);
    const steps = await stepsOfCopy(prepared, "kill");
    expect(steps.length).toBeGreaterThan(50);
    const ends = await atSteps(steps, async (at) => {
      await using copy = await copyOf(prepared);
      expect(await runChange({ ...copy.child, fault: { at, kind: "kill" } })).toEqual({});
      await recover(copy);
      return await expectWhole(copy, prepared);
    });
    expect(new Set(ends.values())).toEqual(new Set(["old", "new"]));
    // Once the change is on record it goes forward.
    for (const [at, end] of ends) if (end === "old") expect(at).toBeLessThan(6);
  },
  TIMEOUT_MS,
);

test(
  "killed at any step of the recovery: the next one ends it all the same",
  async () => {
    const prepared = preparedFor("apply");
    const middle = 45;
    const halfDone = async () => {
      const copy = await copyOf(prepared);
      expect(await runChange({ ...copy.child, fault: { at: middle, kind: "kill" } })).toEqual({});
      const { apply: _, ...recovery } = copy.child;
      return { ...copy, child: recovery };
    };
    await using whole = await halfDone();
    const steps = await stepsOf(whole, "kill");
    expect(steps.length).toBeGreaterThan(20);
    const ends = await atSteps(steps, async (at) => {
      await using copy = await halfDone();
      expect(await runChange({ ...copy.child, fault: { at, kind: "kill" } })).toEqual({});
      await recover(copy);
      return await expectWhole(copy, prepared);
    });
    expect(new Set(ends.values())).toEqual(new Set(["new"]));
  },
  TIMEOUT_MS,
);

test.each([
  ["apply", "full once"],
  ["apply", "full"],
  ["revert", "full"],
] as const)(
  "no space at any step of %s (%s): all goes back, at once or with the next command (D4)",
  async (kind, fault) => {
    const prepared = preparedFor(kind);
    const steps = await stepsOfCopy(prepared, fault);
    expect(steps.length).toBeGreaterThan(30);
    const codes = new Set<string | undefined>();
    await atSteps(steps, async (at) => {
      await using copy = await copyOf(prepared);
      const { printed } = await runChange({ ...copy.child, fault: { at, kind: fault } });
      const code = printed?.end.code;
      codes.add(code);
      if (code === "disk_full" && (await toldOutcome(copy)) === "nothing") {
        const isOnRecord = await hasIntent(copy);
        if (!isOnRecord) expect(await stateOf(copy.root)).toEqual(prepared.before);
      }
      await recover(copy);
      return await expectWhole(copy, prepared);
    });
    expect(codes).toContain("disk_full");
    expect([...codes].every((code) => ["disk_full", "edits_half_done"].includes(code ?? ""))).toBe(
      true,
    );
  },
  TIMEOUT_MS,
);

async function hasIntent({ root }: Copy): Promise<boolean> {
  using ledger = await openLedger(join(root, ".git"));
  return readIntents(ledger).length > 0;
}
