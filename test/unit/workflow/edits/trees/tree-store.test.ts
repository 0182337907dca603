/** The folders of a store in which one piece of work is done. */
import { expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { newEditBench } from "../../../../support/edit-bench.ts";

test("what a dead process left is swept away, but nothing that is in use, and no objects", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n" });
  const { store } = bench;
  await store.run(["hash-object", "-w", "--stdin"], { input: "kept" });
  const before = await readdir(store.objects);
  await mkdir(join(store.objects, "temporary-left"));
  {
    await using used = await store.temporary();
    await store.sweep();
    expect((await readdir(store.objects)).sort()).toEqual([...before, basename(used.path)].sort());
  }
  expect((await readdir(store.objects)).sort()).toEqual(before.sort());
});
