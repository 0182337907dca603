/** A process died while it changed a checkout: whichever command comes next brings that to an end. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { exists } from "../../src/platform/files.ts";
import { createGit } from "../../src/platform/git/runner.ts";
import { beginIntent } from "../../src/workflow/edits/checkout/intents.ts";
import type { Step } from "../../src/workflow/edits/checkout/plan-steps.ts";
import { inverted } from "../../src/workflow/edits/checkout/revert-plan.ts";
import { openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { acquireRepoLock } from "../../src/workflow/edits/locks/repo-lock.ts";
import { objectsFolder } from "../../src/workflow/edits/run-edits.ts";
import { storeFiles } from "../../src/workflow/edits/trees/store-files.ts";
import { changeTree } from "../../src/workflow/edits/trees/tree.ts";
import { openTreeStore } from "../../src/workflow/edits/trees/tree-store.ts";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { cliHome } from "../support/cli.ts";
import { runChange } from "../support/edit-changes.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { age, gc } from "../support/old-runs.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../support/repository.ts";

const NAMES = ["a", "b", "c"];
const texts = (repo: TestRepository) =>
  Promise.all(NAMES.map((name) => Bun.file(repo.join(name)).text()));
const isMixed = (found: readonly string[]) => new Set(found).size > 1;

/** Leaves a checkout in which one process changed some of three files from `old` to `new`. */
async function halfChanged(repo: TestRepository, objects: string): Promise<void> {
  await repo.commit("base", Object.fromEntries(NAMES.map((name) => [name, "old"])));
  const store = await openTreeStore(createGit(GIT_VARIABLES), repo.join(".git"), objects);
  const from = (await repo.git("rev-parse", "HEAD^{tree}")).trim();
  await repo.write(Object.fromEntries(NAMES.map((name) => [name, "new"])));
  const entries = await storeFiles(store, repo.path, NAMES);
  const to = await changeTree(
    store,
    from,
    [...entries].map(([path, after]) => ({ path, after })),
  );
  const work = { runId: "wf-dead", root: repo.path, objects, told: join(objects, "told") };
  for (let at = 1; at === 1 || !isMixed(await texts(repo)); at += 1) {
    await repo.git("checkout", "-q", ".");
    await repo.write({ ".git/pallium": null });
    await runChange({ ...work, apply: [from, to], fault: { at, kind: "kill" } });
  }
}

test.each([
  ["changed-now", "."],
  ["workflow list", "."],
  ["doctor", "sub"],
])("pallium %s finishes it, also from below, and says so", async (command, folder) => {
  await using home = await cliHome();
  await using repo = await testRepository();
  await mkdir(repo.join("sub"));
  const objects = join(home.directory, "objects");
  await halfChanged(repo, objects);
  const run = () => home.pallium(command.split(" "), { cwd: repo.join(folder) });
  expect((await run()).stderr).toContain(
    `finished applying the edits of run wf-dead in ${repo.path}, which was interrupted: 3 files`,
  );
  expect(await texts(repo)).toEqual(["new", "new", "new"]);
  expect((await run()).stderr).not.toContain("wf-dead");
});

const EDITED = { "a.txt": "A\n", "b.txt": "B\n" };

const storeOf = ({ home }: EditHome) => join(home.directory, ".pallium", "pallium.sqlite");

function appliedIn(store: string) {
  using database = new Database(store, { readonly: true });
  const row = database
    .query<Record<"id" | "to_tree" | "calls_json" | "steps_json", string>, []>(
      "SELECT id, to_tree, calls_json, steps_json FROM workflow_applications",
    )
    .get();
  if (row === null) throw new Error("nothing is applied");
  return {
    id: row.id,
    tree: row.to_tree,
    calls: JSON.parse(row.calls_json) as string[],
    steps: JSON.parse(row.steps_json) as Step[],
  };
}

/** A run whose edits are applied, and a revert of them, or an apply after it, that died between two files. */
async function diedIn(kind: "apply" | "revert", edits: EditHome): Promise<void> {
  const worker = "echo A > a.txt; echo B > b.txt; echo ok";
  await edits.script(`return await agent("x", { mode: "edit", provider: "p" });`, { p: worker });
  const store = storeOf(edits);
  const applied = appliedIn(store);
  const steps = kind === "apply" ? applied.steps : applied.steps.map(inverted);
  if (kind === "apply") await edits.json("workflow", "revert", "wf-test");
  const note = { store, tree: applied.tree, calls: applied.calls, applications: [applied.id] };
  const commonDir = edits.repo.join(".git");
  const ledger = await openLedger(commonDir);
  await beginIntent(ledger, commonDir, {
    id: "change",
    runId: "wf-test",
    root: edits.repo.path,
    objects: objectsFolder(edits.runFile(), edits.repo.path),
    kind,
    note: JSON.stringify(note),
    steps,
    folders: [],
    lockToken: "dead",
    begunAt: "2026-09-01T00:00:00.000Z",
  });
  ledger.close();
  await edits.repo.write({ "a.txt": kind === "apply" ? EDITED["a.txt"] : "a\n" });
}

test("an apply that died between two files is finished, and taken back, by a revert from elsewhere", async () => {
  await using edits = await editHome({ "a.txt": "a\n", "b.txt": "b\n" });
  await diedIn("apply", edits);
  const { stdout, stderr } = await edits.home.pallium(["workflow", "revert", "wf-test"]);
  expect(stderr).toContain("finished applying the edits of run wf-test");
  expect(stdout).toContain("Reverted workflow patches:");
  expect(await edits.status()).toBe("");
});

test("a revert that died between two files is finished by an apply from elsewhere, which applies again", async () => {
  await using edits = await editHome({ "a.txt": "a\n", "b.txt": "b\n" });
  await diedIn("revert", edits);
  const { stdout, stderr } = await edits.home.pallium(["workflow", "apply", "wf-test"]);
  expect(stderr).toContain("finished reverting the edits of run wf-test");
  expect(stdout).toContain("Applied workflow patches:");
  expect(await edits.read("a.txt")).toBe(EDITED["a.txt"]);
  expect(await edits.read("b.txt")).toBe(EDITED["b.txt"]);
});

test("a change of a run whose store is gone is finished, and no store is made for it", async () => {
  await using edits = await editHome({ "a.txt": "a\n", "b.txt": "b\n" });
  await diedIn("apply", edits);
  await rename(storeOf(edits), `${edits.home.directory}/elsewhere`);
  const { stderr } = await edits.home.pallium(["changed-now"], { cwd: edits.repo.path });
  expect(stderr).toContain("finished applying the edits of run wf-test");
  expect(await edits.read("b.txt")).toBe(EDITED["b.txt"]);
  expect(await exists(storeOf(edits))).toBe(false);
});

test("a revert that died between two files is finished by a gc, which then removes what it is made of", async () => {
  await using edits = await editHome({ "a.txt": "a\n", "b.txt": "b\n" });
  const { home, repo } = edits;
  await diedIn("revert", edits);
  age(home, "wf-test", 8);
  const ledger = await openLedger(repo.join(".git"));
  try {
    const clock = systemClock();
    const lock = await acquireRepoLock(ledger, { runId: "wf-other", root: repo.path, clock });
    const { removed, skipped } = await gc(home);
    expect([removed, skipped.map(({ code }) => code)]).toEqual([[], ["run_in_use"]]);
    expect(skipped[0]?.error).toContain(`a change to ${repo.path} with its edits is unfinished`);
    await lock.release();
  } finally {
    ledger.close();
  }
  const { stderr } = await home.pallium(["workflow", "gc"]);
  expect(stderr).toContain("finished reverting the edits of run wf-test");
  expect([await edits.status(), await exists(edits.runFile())]).toEqual(["", false]);
  const { agents } = await edits.json<Snapshot>("workflow", "show", "wf-test");
  expect(agents[0]?.apply_state).toBe("reverted");
});
