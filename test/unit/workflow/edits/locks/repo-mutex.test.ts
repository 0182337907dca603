import { expect, test } from "bun:test";
import { systemClock } from "../../../../../src/platform/clock.ts";
import type { Ledger } from "../../../../../src/workflow/edits/locks/ledger.ts";
import { withRepoMutex } from "../../../../../src/workflow/edits/locks/repo-mutex.ts";
import { commonDirOf, ledgerOf, lockChild } from "../../../../support/edits.ts";
import { testRepository } from "../../../../support/repository.ts";

const claim = { name: "worktree", runId: "run-a", root: "/repository", clock: systemClock() };
const enter = <T>(ledger: Ledger, work: () => Promise<T>, changes = {}) =>
  withRepoMutex(ledger, { ...claim, ...changes }, work);

test("work of one process is done one after the other", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  let inside = 0;
  const works = Array.from({ length: 10 }, (_, index) =>
    enter(ledger, async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise(setImmediate);
      inside -= 1;
      return index;
    }),
  );
  expect(await Promise.all(works)).toEqual([...works.keys()]);
});

test("work waits for that of another process, and goes on when it is done or dead", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  for (const end of ["go", "kill"] as const) {
    await using child = lockChild("mutex", commonDirOf(repository), "run-b");
    await child.line();
    child.go();
    expect(await child.line()).toBe("inside");
    const order: string[] = [];
    const work = enter(ledger, async () => order.push("here"));
    order.push("there");
    await child[end]();
    await work;
    expect(order).toEqual(["there", "here"]);
  }
});

test("work of another name does not wait", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const inner = () => enter(ledger, async () => "done", { name: "something else" });
  expect(await enter(ledger, inner)).toBe("done");
});

test("what work throws is thrown, and the next one may begin", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const failing = enter(ledger, () => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  expect(await enter(ledger, async () => "done")).toBe("done");
});

test("waiting ends with the signal", async () => {
  await using repository = await testRepository();
  using ledger = await ledgerOf(repository);
  const controller = new AbortController();
  await enter(ledger, async () => {
    const waiting = enter(ledger, async () => {}, { signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });
});
