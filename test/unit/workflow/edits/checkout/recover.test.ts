/** What was left half-way is finished, undone, or named. */
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PalliumError } from "../../../../../src/lib/errors.ts";
import { systemClock } from "../../../../../src/platform/clock.ts";
import { exists } from "../../../../../src/platform/files.ts";
import { removeFolder } from "../../../../../src/platform/remove-folder.ts";
import { readIntents } from "../../../../../src/workflow/edits/checkout/intents.ts";
import { recoverChanges } from "../../../../../src/workflow/edits/checkout/recover.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
} from "../../../../../src/workflow/edits/checkout/write-steps.ts";
import {
  ledgerFolder,
  mayBeUnfinished,
} from "../../../../../src/workflow/edits/locks/ledger-folder.ts";
import { acquireRepoLock } from "../../../../../src/workflow/edits/locks/repo-lock.ts";
import { type ApplyBench, applyBench } from "../../../../support/apply-bench.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };
const EDIT = "echo x >>a.txt; echo x >>b.txt; echo n >n";

/** Has so many files moved to their place, then nothing goes any more, back included. */
function stuckAfter(moves: number): CheckoutFiles {
  let moved = 0;
  return {
    ...CHECKOUT_FILES,
    async move(...args) {
      moved += 1;
      if (moved > moves) throw new PalliumError("disk_full", "no space left");
      await CHECKOUT_FILES.move(...args);
    },
  };
}

/** Leaves a change of three files half-way, one of them done. */
async function halfDone(work: ApplyBench, edit = EDIT): Promise<void> {
  const stuck = work.apply(await work.edit(edit), { files: stuckAfter(1) });
  await expect(stuck).rejects.toMatchObject({
    code: "edits_half_done",
    message: expect.stringContaining("no space left"),
  });
  expect(await work.files()).toMatchObject({ "a.txt": "100644 a\nx\n", "b.txt": "100644 b\n" });
  expect(await mayBeUnfinished(work.bench.commonDir)).toBe(true);
}

/** As a process that dies before it can go back leaves it. */
const forward = (work: ApplyBench) =>
  work.ledger.write((tx) => tx.run("UPDATE intents SET state = 'forward'"));

test("nothing is there to do where nothing was begun", async () => {
  await using work = await applyBench(FILES);
  expect(await mayBeUnfinished(work.bench.commonDir)).toBe(false);
  expect(await work.recover()).toEqual({ ended: [], pending: [], lines: [] });
});

test("a change that was to go back goes back", async () => {
  await using work = await applyBench(FILES);
  const before = await work.files();
  await halfDone(work);
  const left = join(work.bench.store.objects, "temporary-of-the-killed");
  await mkdir(left);
  const { ended, lines } = await work.recover();
  expect(await exists(left)).toBe(false);
  expect(ended).toMatchObject([{ outcome: "undone", leftAlone: [], runId: "wf" }]);
  expect(lines).toEqual([
    `undid what was begun of applying the edits of run wf in ${work.root}: 3 files as before`,
  ]);
  expect(await work.files()).toEqual(before);
  expect(await mayBeUnfinished(work.bench.commonDir)).toBe(false);
  expect(await work.recover()).toMatchObject({ ended: [] });
});

test("a change that was going on is finished", async () => {
  await using work = await applyBench(FILES);
  await halfDone(work);
  await forward(work);
  const { lines } = await work.recover();
  expect(lines).toEqual([
    `finished applying the edits of run wf in ${work.root}, which was interrupted: 3 files`,
  ]);
  expect(work.told).toMatchObject([{ outcome: "done", steps: [{}, {}, {}] }]);
  expect(await work.files()).toMatchObject({ "b.txt": "100644 b\nx\n", n: "100644 n\n" });
});

test("a file that somebody changed since is named and left alone, the others go back", async () => {
  await using work = await applyBench(FILES);
  await halfDone(work);
  await forward(work);
  await work.user("echo mine >b.txt");
  const { ended, lines } = await work.recover();
  expect(ended).toMatchObject([{ outcome: "undone", leftAlone: ["b.txt"] }]);
  expect(lines[0]).toEndWith(
    "left as they are, being neither what they were nor what they were to become: b.txt",
  );
  expect(await work.files()).toEqual({
    "a.txt": "100644 a\n",
    "b.txt": "100644 mine\n",
    "c.txt": "100644 c\n",
  });
});

test("where all the others are done, the change is", async () => {
  await using work = await applyBench(FILES);
  await halfDone(work, "echo x >>a.txt; echo x >>b.txt");
  await forward(work);
  await work.user("echo mine >b.txt");
  expect((await work.recover()).ended).toMatchObject([{ outcome: "done", leftAlone: ["b.txt"] }]);
  expect(await work.files()).toMatchObject({
    "a.txt": "100644 a\nx\n",
    "b.txt": "100644 mine\n",
  });
});

test("without the run's files it goes back to what the repository has", async () => {
  await using work = await applyBench(FILES);
  const before = await work.files();
  await halfDone(work);
  await forward(work);
  await removeFolder(work.bench.store.objects);
  const left = join(ledgerFolder(work.bench.commonDir), "objects-of-a-killed-one");
  await mkdir(left);
  expect((await work.recover()).ended).toMatchObject([{ outcome: "undone", leftAlone: [] }]);
  expect(await work.files()).toEqual(before);
  expect(await exists(left)).toBe(false);
});

test("a file whose earlier content is lost is named, and does not block the next change", async () => {
  await using work = await applyBench({ ...FILES, "long.txt": "1\n2\n3\n4\n5\n" });
  await work.user("sed -i s/5/five/ long.txt");
  const edit = await work.edit("sed -i s/1/one/ long.txt; echo n >n");
  const stuck = work.apply(edit, { files: stuckAfter(1) });
  await expect(stuck).rejects.toMatchObject({ code: "edits_half_done" });
  await removeFolder(work.bench.store.objects);
  const { ended } = await work.recover();
  expect(ended).toMatchObject([{ outcome: "undone", leftAlone: ["long.txt"] }]);
  expect(await work.files()).toMatchObject({ "long.txt": "100644 one\n2\n3\n4\nfive\n" });
  expect(await mayBeUnfinished(work.bench.commonDir)).toBe(false);
});

test("a working tree that is gone needs nothing", async () => {
  await using work = await applyBench(FILES);
  await halfDone(work);
  await work.ledger.write((tx) => tx.run("UPDATE intents SET root = '/gone'"));
  expect((await work.recover()).ended).toMatchObject([{ root: "/gone", outcome: "undone" }]);
});

test("while a run that lives edits the repository there is nothing to do (C2)", async () => {
  await using work = await applyBench(FILES);
  await halfDone(work);
  const clock = systemClock();
  const lock = await acquireRepoLock(work.ledger, { runId: "other", root: work.root, clock });
  expect(await work.recover()).toEqual({ ended: [], pending: [], lines: [] });
  await lock.release();
  expect((await work.recover()).ended).toHaveLength(1);
});

test("what cannot be brought to an end yet is told, keeps the next change away, and is tried again", async () => {
  await using work = await applyBench(FILES);
  const before = await work.files();
  await halfDone(work);
  const { git, commonDir } = work.bench;
  const powers = { git, ledger: work.ledger, commonDir, clock: systemClock() };
  const tell = async () => {};
  const stuck = await recoverChanges({ ...powers, tell, files: stuckAfter(0) }, "wf-next");
  expect(stuck.lines).toEqual([
    `applying the edits of run wf in ${work.root} is unfinished: no space left`,
  ]);
  const next = work.apply(await work.edit("echo 1 >z"));
  await expect(next).rejects.toMatchObject({ code: "edits_unfinished" });
  await work.recover();
  expect(await work.files()).toEqual(before);
});

test("a run that could not be told is told later, once the files are done", async () => {
  await using work = await applyBench(FILES);
  const tell = () => Promise.reject(new PalliumError("disk_full", "no space in the store"));
  const trees = await work.edit(EDIT);
  await expect(work.apply(trees, { tell })).rejects.toMatchObject({ code: "disk_full" });
  expect(await work.files()).toEqual(await work.bench.files(trees[1]));
  expect(readIntents(work.ledger)).toMatchObject([{ state: "done" }]);
  await work.user("echo later >>a.txt");
  expect((await work.recover()).ended).toMatchObject([{ outcome: "done", leftAlone: [] }]);
  expect(work.told).toHaveLength(1);
  expect(await work.files()).toMatchObject({ "a.txt": "100644 a\nx\nlater\n" });
});
