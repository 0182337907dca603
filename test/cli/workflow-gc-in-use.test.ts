/** `workflow gc` beside others: what somebody works with is left alone, and two do not hinder each other. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { ownIdentity } from "../../src/platform/process/identity.ts";
import { openLedger } from "../../src/workflow/edits/locks/ledger.ts";
import { takeLock } from "../../src/workflow/edits/locks/lock-row.ts";
import { acquireRepoLock } from "../../src/workflow/edits/locks/repo-lock.ts";
import type { CollectReport } from "../../src/workflow/gc/collect-runs.ts";
import { asOwner, giveToOwner } from "../support/as-owner.ts";
import { editHome } from "../support/edit-runs.ts";
import { fileAppears } from "../support/files.ts";
import { NOBODY } from "../support/give-up-root.ts";
import { age, copyRun, gc, idsOf, inStore, runsFolder } from "../support/old-runs.ts";
import { startRun } from "../support/runner.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

const EVERYTHING = ["--older-than", "0", "--include-failed", "--stale"];
const WAITING =
  'touch "$HOME/ready"; while [ -d "$HOME" ] && [ ! -e "$HOME/go" ]; do sleep 0.05; done';
const ENV = { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", `${WAITING}; echo done`) };

test("a run at work is never touched, nor one whose workers outlived their runner (P8, C5)", async () => {
  await using home = await workflowHome();
  const runner = await startRun(home, `return await agent("one");`, ENV);
  await fileAppears(join(home.directory, "ready"));
  expect(await gc(home, ...EVERYTHING)).toMatchObject({ removed: [], skipped: [], reconciled: [] });
  runner.kill("SIGKILL");
  await runner.exited;
  const { exitCode, stdout, stderr } = await home.pallium([
    "workflow",
    "gc",
    ...EVERYTHING,
    "--json",
  ]);
  const report = JSON.parse(stdout) as CollectReport;
  expect(report.reconciled).toEqual([{ run_id: "wf-test", agents_reconciled: 1 }]);
  expect(report).toMatchObject({ removed: [], skipped: [{ id: "wf-test", code: "run_in_use" }] });
  expect(stderr).toContain("the files of run wf-test are in use: workers of it are still alive");
  expect(exitCode).toBe(0);
  expect(existsSync(runsFolder(home, "wf-test", "workflow.js"))).toBe(true);
  await home.pallium(["workflow", "stop", "wf-test"]);
  expect(idsOf(await gc(home, ...EVERYTHING))).toEqual(["wf-test"]);
  const lease = inStore(home, (store) => store.query("SELECT owner FROM workflow_leases").get());
  expect(lease).toEqual({ owner: null });
});

test("a run whose edits somebody applies or reverts is left as it is; what a dead one held goes", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const source = `return await agent("edit", { mode: "edit", provider: "p" });`;
  await edits.script(source, { p: "echo four >> a.txt; echo done" });
  age(home, "wf-test", 8);
  const ledger = await openLedger(repo.join(".git"));
  try {
    const request = { runId: "wf-test", root: repo.path, clock: systemClock() };
    const lock = await acquireRepoLock(ledger, request);
    const report = await gc(home);
    expect(report).toMatchObject({ removed: [], skipped: [{ id: "wf-test", code: "run_in_use" }] });
    expect(report.skipped[0]?.error).toContain(`process ${process.pid} works with its edits in`);
    expect(existsSync(edits.runFile("objects"))).toBe(true);
    await lock.release();
    const reverted = await edits.json<object>("workflow", "revert", "wf-test");
    expect(reverted).toMatchObject({ reverted: [expect.stringContaining("wf-test")] });
    const dead = { ...ownIdentity(), startTime: "0" };
    for (const name of ["edits", "worktrees"]) {
      await ledger.write((tx) => takeLock(tx, { ...request, name, owner: dead }, request.clock));
    }
    expect(idsOf(await gc(home))).toEqual(["wf-test"]);
    expect(ledger.all("SELECT name FROM locks")).toEqual([]);
  } finally {
    ledger.close();
  }
});

test("where a repository cannot say who edits it, its run stays whole and is named", async () => {
  await using edits = await editHome();
  const { home, repo } = edits;
  const source = `return await agent("edit", { mode: "edit", provider: "p" });`;
  await edits.script(source, { p: "echo four >> a.txt; echo done" });
  age(home, "wf-test", 8);
  const ledger = repo.join(".git", "pallium", "edits.sqlite");
  const good = await readFile(ledger);
  await writeFile(ledger, "no database");
  const { exitCode, stdout, stderr } = await home.pallium(["workflow", "gc", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    removed: [],
    skipped: [{ code: "database_corrupt" }],
  });
  expect([exitCode, errorOf(stderr).code]).toEqual([1, "gc_incomplete"]);
  await writeFile(ledger, good);
  const reverted = await edits.json<object>("workflow", "revert", "wf-test");
  expect(reverted).toMatchObject({ reverted: [expect.stringContaining("wf-test")] });
});

test("two at once share the work, and neither fails", async () => {
  await using home = await workflowHome();
  await home.script("return 1;", { id: "wf-0" });
  const ids = Array.from({ length: 12 }, (_, number) => `wf-${number}`);
  for (const id of ids) {
    if (id !== "wf-0") copyRun(home, "wf-0", id);
    await mkdir(runsFolder(home, id, "calls", "deep"), { recursive: true });
    for (let file = 0; file < 50; file += 1) {
      await writeFile(runsFolder(home, id, "calls", "deep", `${file}`), "x");
    }
    age(home, id, 8);
  }
  const both = await Promise.all([1, 2].map(() => home.pallium(["workflow", "gc", "--json"])));
  expect(both.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const removed = both.flatMap(({ stdout }) => idsOf(JSON.parse(stdout)));
  expect([...removed].sort()).toEqual([...ids].sort());
  expect(await readdir(runsFolder(home))).toEqual([]);
});

test("what its owner made read-only goes too; what cannot be removed is named, and goes later", async () => {
  await using home = await workflowHome();
  for (const id of ["shut", "stuck"]) {
    await home.script("return 1;", { id });
    await mkdir(runsFolder(home, id, "worktrees", "in"), { recursive: true });
    await writeFile(runsFolder(home, id, "worktrees", "in", "file"), "x");
    age(home, id, 8);
  }
  giveToOwner(home);
  await chmod(runsFolder(home, "shut", "worktrees", "in"), 0o500);
  await chmod(runsFolder(home, "shut", "worktrees"), 0o000);
  // A folder of somebody else's.
  const theirs = runsFolder(home, "stuck", "worktrees", "in");
  if (process.getuid?.() === 0) await chown(theirs, 0, 0);
  const first = await asOwner(home, "workflow gc --json");
  const report = JSON.parse(first.stdout) as CollectReport;
  expect(idsOf(report)).toEqual(["shut"]);
  expect(report.skipped).toMatchObject([{ id: "stuck", code: "permission_denied" }]);
  expect([first.exitCode, errorOf(first.stderr).code]).toEqual([1, "gc_incomplete"]);
  expect(existsSync(runsFolder(home, "shut"))).toBe(false);
  const resume = await asOwner(home, "workflow resume stuck --json");
  expect(errorOf(resume.stderr).code).toBe("run_collected");
  if (process.getuid?.() === 0) await chown(theirs, NOBODY, NOBODY);
  const second = await asOwner(home, "workflow gc --older-than 1000 --json");
  expect(idsOf(JSON.parse(second.stdout))).toEqual(["stuck"]);
  expect(await readdir(runsFolder(home))).toEqual([]);
});
