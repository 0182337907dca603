import { expect, test } from "bun:test";
import { systemClock } from "../../../../../src/platform/clock.ts";
import { ownIdentity } from "../../../../../src/platform/process/identity.ts";
import { keepLock } from "../../../../../src/workflow/edits/locks/keep-lock.ts";
import type { Ledger } from "../../../../../src/workflow/edits/locks/ledger.ts";
import { acquireRepoLock } from "../../../../../src/workflow/edits/locks/repo-lock.ts";
import { commonDirOf, ledgerOf, lockChild } from "../../../../support/edits.ts";
import { testRepository } from "../../../../support/repository.ts";

const clock = systemClock();
const later = (ms: number) => ({ ...clock, now: () => new Date(Date.now() + ms) });
const take = (ledger: Ledger, runId: string, changes = {}) =>
  acquireRepoLock(ledger, { runId, root: "/repository", clock, ...changes });
const elsewhere = { ...ownIdentity(), bootId: "another boot", host: "another-host" };

test("a run takes the lock, takes it again, and keeps others out until it gave both back (oracle 59)", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const first = await take(ledger, "run-a");
  const again = await take(ledger, "run-a");
  await expect(take(ledger, "run-b")).rejects.toMatchObject({
    code: "repo_locked",
    fatal: true,
    message: "workflow repo edit lock contended: another edit run holds /repository (run run-a)",
    hints: [expect.stringContaining("run-a"), expect.stringContaining(`process ${process.pid}`)],
  });
  await first.release();
  await first.release();
  await expect(take(ledger, "run-b")).rejects.toMatchObject({ code: "repo_locked" });
  again.check();
  await again.release();
  const other = await take(ledger, "run-b");
  await expect(take(ledger, "run-a")).rejects.toMatchObject({ code: "repo_locked" });
  await other.release();
});

test("whoever released a lock does not hold it any more", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const lock = await take(ledger, "run-a");
  await lock.release();
  expect(() => lock.check()).toThrow("another run has taken over the edits of /repository");
});

test("all working trees of a repository share the lock, whichever way it is opened", async () => {
  await using repository = await testRepository();
  using one = await ledgerOf(repository);
  using other = await ledgerOf(repository);
  const lock = await take(one, "run-a");
  await expect(take(other, "run-b", { root: "/linked" })).rejects.toMatchObject({
    code: "repo_locked",
    message: expect.stringContaining("holds /linked (run run-a)"),
    hints: [expect.any(String), expect.stringContaining("/repository")],
  });
  await lock.release();
});

test("the same run in another process is refused while the first one lives (C1)", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  await using child = lockChild("lock", commonDirOf(repository), "run-a");
  await child.line();
  child.go();
  expect(await child.line()).toBe("held");
  await expect(take(ledger, "run-a")).rejects.toMatchObject({
    code: "repo_locked",
    message: expect.stringContaining("the run itself is still at work"),
  });
});

test.each(["run-a", "recovery"])(
  "a recovery by another process is waited for: %s",
  async (runId) => {
    await using repository = await testRepository();
    using ledger = await ledgerOf(repository);
    await using child = lockChild("lock", commonDirOf(repository), "recovery");
    await child.line();
    child.go();
    expect(await child.line()).toBe("held");
    let isTaken = false;
    const taker = take(ledger, runId).then((lock) => {
      isTaken = true;
      return lock.release();
    });
    // Comes after the look of the one who waits.
    await ledger.write(() => undefined);
    expect(isTaken).toBe(false);
    child.go();
    await taker;
  },
);

test("what a killed process held is free at once (C2)", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const child = lockChild("lock", commonDirOf(repository), "run-a");
  await child.line();
  child.go();
  expect(await child.line()).toBe("held");
  await child.kill();
  await (await take(ledger, "run-b")).release();
});

test("of six processes that race for the lock of a dead one exactly one wins (oracle 60)", async () => {
  await using repository = await testRepository();
  const dead = lockChild("lock", commonDirOf(repository), "dead");
  await dead.line();
  dead.go();
  await dead.line();
  await dead.kill();
  const racers = Array.from({ length: 6 }, (_, index) =>
    lockChild("lock", commonDirOf(repository), `run-${index}`),
  );
  await Promise.all(racers.map((racer) => racer.line()));
  for (const racer of racers) racer.go();
  const ends = await Promise.all(racers.map((racer) => racer.line()));
  for (const racer of racers) await racer.kill();
  expect(ends.toSorted()).toEqual(["held", ...Array(5).fill("repo_locked")]);
});

test("one elsewhere is believed for two minutes after it was last heard of (oracle 59, C2)", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const lock = await take(ledger, "run-a", { owner: elsewhere });
  await expect(take(ledger, "run-b", { clock: later(119_000) })).rejects.toMatchObject({
    code: "repo_locked",
  });
  lock.check();
  const taken = await take(ledger, "run-b", { clock: later(121_000) });
  expect(() => lock.check()).toThrow("taken over");
  await expect(take(ledger, "run-a", { owner: elsewhere })).rejects.toMatchObject({
    code: "repo_locked",
  });
  await lock.release();
  taken.check();
  await taken.release();
});

test("a lock is refreshed while it is held (C2)", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const old = { ...clock, iso: () => "2026-01-01T00:00:00.000Z" };
  const lock = await take(ledger, "run-a", { owner: elsewhere, clock: old });
  const refreshed = Promise.withResolvers<void>();
  const watched: Pick<Ledger, "write"> = {
    write: async (work) => {
      const result = await ledger.write(work);
      refreshed.resolve();
      return result;
    },
  };
  const release = keepLock(watched, lock.token, clock, 1);
  await refreshed.promise;
  await expect(take(ledger, "run-b")).rejects.toMatchObject({ code: "repo_locked" });
  await release();
});

test("a lock that could not be given back is given back once that works", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const lock = await take(ledger, "run-a");
  const given = Promise.withResolvers<void>();
  let failures = 0;
  const failing: Pick<Ledger, "write"> = {
    write: async (work) => {
      if (failures++ === 0) throw new Error("no space left");
      const result = await ledger.write(work);
      given.resolve();
      return result;
    },
  };
  const release = keepLock(failing, lock.token, clock, 1000_000);
  await expect(release()).rejects.toThrow("no space left");
  await expect(take(ledger, "run-b")).rejects.toMatchObject({ code: "repo_locked" });

  failures = 0;
  const soon = keepLock(failing, lock.token, clock, 1);
  await expect(soon()).rejects.toThrow("no space left");
  await given.promise;
  await (await take(ledger, "run-b")).release();
  await lock.release();
});
