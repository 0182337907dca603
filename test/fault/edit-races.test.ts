/** Processes that change the same checkout at the same moment, and a limit on the size of files. */
import { expect, test } from "bun:test";
import { applyBench } from "../support/apply-bench.ts";
import type { ChildWork } from "../support/edit-apply-child.ts";
import { runChange } from "../support/edit-changes.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\n",
  "b.txt": "b\n",
  "folder/c.txt": "c\n",
  "folder/d.txt": "d\n",
};
const FIRST = "sed -i 's/^one/ONE/' a.txt; rm b.txt; echo x >>folder/c.txt; mkdir n; echo 1 >n/1";
const SECOND = "sed -i 's/^five/FIVE/' a.txt; git mv folder/d.txt moved.txt; mkdir n; echo 2 >n/2";
const ROUNDS = 8;
const TIMEOUT_MS = 120_000;

type Work = Pick<ChildWork, "apply" | "revert">;

test.each(["apply against apply", "apply against revert"])(
  "%s: one at a time, each of them whole (D4, C2)",
  async (kind) => {
    await using bench = await applyBench(FILES);
    const { root, told } = bench;
    const { objects } = bench.bench.store;
    const base = await bench.files();
    const [first, second] = [await bench.edit(FIRST), await bench.edit(SECOND)];
    const { steps } = await bench.apply(first);
    const withFirst = await bench.files();
    await bench.apply(second);
    const withBoth = await bench.files();
    await bench.revert(told.slice(0, 1));
    const withSecond = await bench.files();
    const states = [base, withFirst, withSecond, withBoth];

    const isRevert = kind === "apply against revert";
    const one: Work = isRevert ? { revert: [steps] } : { apply: first };
    for (let round = 0; round < ROUNDS; round += 1) {
      await bench.user("git reset -q --hard; git clean -qfd");
      if (isRevert) await bench.apply(first);
      const run = async (runId: string, work: Work) => {
        const told = bench.bench.run.join(runId);
        const { printed } = await runChange({ runId, root, objects, told, ...work });
        return printed?.end.outcome ?? printed?.end.code;
      };
      const ends = await Promise.all([run("wf-1", one), run("wf-2", { apply: second })]);
      const [isOneDone, isTwoDone] = ends.map((end) => end === "done");
      const hasFirst = isRevert ? !isOneDone : isOneDone;
      expect(await bench.files()).toEqual(states[(hasFirst ? 1 : 0) + (isTwoDone ? 2 : 0)] ?? {});
      expect(ends.filter((end) => end !== "done" && end !== "repo_locked")).toEqual([]);
      expect(ends).toContain("done");
    }
  },
  TIMEOUT_MS,
);

test(
  "a file that may not grow any more: the old or the new, and then the new",
  async () => {
    const ends = new Set<string>();
    for (const blocks of [150, 300, 600, 5000]) {
      await using bench = await applyBench(FILES);
      const { root } = bench;
      const { objects } = bench.bench.store;
      const before = await bench.files();
      const large =
        "i=0; while [ $i -lt 5000 ]; do echo 0123456789012345678901234567890; i=$((i+1)); done";
      const apply = await bench.edit(`${FIRST}; (${large}) >large; (${large}) >>a.txt`);
      const work = { runId: "wf", root, objects, told: bench.bench.run.join("told"), apply };
      const { printed } = await runChange(work, blocks);
      const end = printed?.end.outcome ?? printed?.end.code ?? "killed";
      ends.add(end);
      const { ended } = await bench.recover();
      const isNew = end === "done" || ended.some(({ outcome }) => outcome === "done");
      expect(await bench.files()).toEqual(isNew ? await bench.bench.files(apply[1]) : before);
      expect((await runChange(work)).printed?.end.outcome).toBe("done");
      expect(await bench.files()).toEqual(await bench.bench.files(apply[1]));
    }
    expect([...ends].toSorted()).toEqual(["disk_full", "done"]);
  },
  TIMEOUT_MS,
);
