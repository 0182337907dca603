import { expect, test } from "bun:test";
import { systemClock } from "../../../../../src/platform/clock.ts";
import { acquireRepoLock } from "../../../../../src/workflow/edits/locks/repo-lock.ts";
import { RepoLocks } from "../../../../../src/workflow/edits/locks/repo-locks.ts";
import type { Place } from "../../../../../src/workflow/edits/place.ts";
import { commonDirOf, ledgerOf } from "../../../../support/edits.ts";
import { type TestRepository, testRepository } from "../../../../support/repository.ts";

const clock = systemClock();
const placeOf = (repo: TestRepository): Place => ({
  root: repo.path,
  commonDir: commonDirOf(repo),
  offset: "",
});

/** Whether another run gets hold of a repository. */
async function isFree(repo: TestRepository): Promise<boolean> {
  using ledger = await ledgerOf(repo);
  const request = { runId: "other", root: repo.path, clock };
  const lock = await acquireRepoLock(ledger, request).catch(() => undefined);
  await lock?.release();
  return lock !== undefined;
}

test("all that is held is free once it is let go of", async () => {
  await using one = await testRepository();
  await using two = await testRepository();
  const locks = new RepoLocks("run", clock);
  await locks.hold(placeOf(one));
  await locks.hold(placeOf(two));
  expect([await isFree(one), await isFree(two)]).toEqual([false, false]);
  await locks.close();
  expect([await isFree(one), await isFree(two)]).toEqual([true, true]);
});

test("where a second repository is held by somebody else, the first is let go of all the same", async () => {
  await using one = await testRepository();
  await using two = await testRepository();
  const others = new RepoLocks("somebody", clock);
  await others.hold(placeOf(two));
  const locks = new RepoLocks("run", clock);
  await locks.hold(placeOf(one));
  await expect(locks.hold(placeOf(two))).rejects.toMatchObject({ code: "repo_locked" });
  await locks.close();
  expect([await isFree(one), await isFree(two)]).toEqual([true, false]);
  await others.close();
});

test("one that cannot be given back keeps none of the others, and is told", async () => {
  await using one = await testRepository();
  await using two = await testRepository();
  const locks = new RepoLocks("run", clock);
  await locks.hold(placeOf(one));
  await locks.hold(placeOf(two));
  (await locks.ledger(placeOf(one))).close();
  await expect(locks.close()).rejects.toThrow();
  expect(await isFree(two)).toBe(true);
});

test("a working tree is made while nobody else makes one, in this process or another", async () => {
  await using repo = await testRepository();
  const [one, two] = [new RepoLocks("one", clock), new RepoLocks("two", clock)];
  const order: string[] = [];
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = one.alone(placeOf(repo), async () => {
    began.resolve();
    await end.promise;
    order.push("first");
  });
  await began.promise;
  const others = [one, two].map((locks) =>
    locks.alone(placeOf(repo), async () => void order.push("other")),
  );
  // Comes after the look of the one who waits.
  await (await two.ledger(placeOf(repo))).write(() => undefined);
  end.resolve();
  await Promise.all([first, ...others]);
  expect(order).toEqual(["first", "other", "other"]);
  await one.close();
  await two.close();
});
