/** What was applied is taken back; what the user did since then is not. */
import { describe, expect, test } from "bun:test";
import { type ApplyBench, applyBench } from "../../../../support/apply-bench.ts";

const FILES = { "a.txt": "one\ntwo\nthree\nfour\nfive\n", "b.txt": "b\n", "folder/c": "c\n" };

test("what nobody changed since is as before, twice over", async () => {
  await using work = await applyBench(FILES);
  const before = await work.files();
  await work.apply(await work.edit("echo x >>a.txt; rm b.txt folder/c; mkdir n; echo n >n/n"));
  const [applied] = work.told;
  await work.revert();
  expect(await work.files()).toEqual(before);
  expect(await work.user("ls -d folder; test -e n || echo gone")).toBe("folder\ngone\n");
  const again = await work.revert(applied === undefined ? [] : [applied]);
  expect(again).toMatchObject({ outcome: "done", steps: [] });
});

test("what the user had changed before it was applied is there again", async () => {
  await using work = await applyBench(FILES);
  await work.user("sed -i 's/^five/FIVE/' a.txt; echo mine >>folder/c");
  const before = await work.files();
  await work.apply(await work.edit("sed -i 's/^one/ONE/' a.txt"));
  await work.revert();
  expect(await work.files()).toEqual(before);
});

test("other lines that the user changed since then stay (D5)", async () => {
  await using work = await applyBench(FILES);
  await work.apply(await work.edit("sed -i 's/^one/ONE/' a.txt; echo n >n"));
  await work.user("sed -i 's/^five/FIVE/' a.txt");
  await work.revert();
  expect(await work.files()).toEqual({
    "a.txt": "100644 one\ntwo\nthree\nfour\nFIVE\n",
    "b.txt": "100644 b\n",
    "folder/c": "100644 c\n",
  });
});

test.each([
  ["the same lines", "sed -i 's/^ONE/uno/' a.txt", "a.txt"],
  ["a file that the run made", "echo mine >>n", "n"],
  ["a new file where the run removed one", "echo mine >b.txt", "b.txt"],
  ["a file that the user removed", "rm a.txt", "a.txt"],
])("changes that do not go together stop all of it: %s (D4)", async (_name, script, path) => {
  await using work = await applyBench(FILES);
  await work.apply(await work.edit("sed -i 's/^one/ONE/' a.txt; echo n >n; rm b.txt; echo 2 >zz"));
  await work.user(script);
  const before = await work.files();
  await expect(work.revert()).rejects.toMatchObject({
    code: "checkout_conflict",
    message: expect.stringMatching(new RegExp(`^cannot revert the edits of wf: ${path}: [^;]*$`)),
  });
  expect(await work.files()).toEqual(before);
});

describe("several applications", () => {
  async function applyTwice(work: ApplyBench, between = "true"): Promise<void> {
    const first = await work.edit("sed -i 's/^one/ONE/' a.txt; echo 1 >n; rm b.txt");
    const second = await work.edit("sed -i 's/^ONE/1/' a.txt; echo 2 >n; echo b2 >b.txt", first[1]);
    await work.apply(first);
    await work.user(between);
    await work.apply(second);
  }

  test("are taken back in one go, the newest first", async () => {
    await using work = await applyBench(FILES);
    const before = await work.files();
    await applyTwice(work);
    const ended = await work.revert();
    expect(await work.files()).toEqual(before);
    expect(ended.steps.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "n"]);
  });

  test("with edits of the user's in between, which stay", async () => {
    await using work = await applyBench(FILES);
    await applyTwice(work, "sed -i 's/^five/FIVE/' a.txt");
    await work.revert();
    expect((await work.files())["a.txt"]).toBe("100644 one\ntwo\nthree\nfour\nFIVE\n");
  });

  test("one that was never applied is none of them (D13)", async () => {
    await using work = await applyBench(FILES);
    const before = await work.files();
    const refused = await work.edit("echo run >n");
    await work.user("echo user >n");
    await expect(work.apply(refused)).rejects.toMatchObject({ code: "checkout_conflict" });
    await work.apply(await work.edit("echo x >>a.txt"));
    await work.revert();
    expect(await work.files()).toEqual({ ...before, n: "100644 user\n" });
  });
});
