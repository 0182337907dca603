/** Changes that go together are merged, others are named and change nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mergeTrees, type TreeMerge } from "../../../../../src/workflow/edits/trees/merge-trees.ts";
import { type EditBench, type Files, newEditBench } from "../../../../support/edit-bench.ts";

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
const FILES = {
  "text.txt": LINES,
  "other.txt": LINES,
  "binary.bin": new Uint8Array([0, 1, 2]),
  "folder/a": "a\n",
};

let bench: EditBench;
beforeAll(async () => {
  bench = await newEditBench(FILES, { script: "ln -s a link" });
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Merges what two workers do who both begin with the base. */
async function merge(
  one: string,
  other: string,
): Promise<TreeMerge & { ours: string; files: Files }> {
  const trees: string[] = [];
  for (const script of [one, other]) {
    const worker = await bench.open();
    await bench.shell(worker.root, script);
    trees.push((await bench.capture(worker)).tree);
    await bench.remove(worker);
  }
  const [ours = "", theirs = ""] = trees;
  const merged = await mergeTrees(bench.store, await bench.base(), ours, theirs);
  return { ...merged, ours, files: await bench.files(merged.tree) };
}

const replaceLine = (line: number, text: string, file = "text.txt") =>
  `sed -i 's/^line ${line}$/${text}/' ${file}`;

describe("goes together", () => {
  test("lines of one file that are apart", async () => {
    const { conflicts, files } = await merge(replaceLine(1, "ours"), replaceLine(15, "theirs"));
    expect(conflicts).toEqual([]);
    expect(files["text.txt"]).toBe(
      `100644 ${LINES.replace("line 1\n", "ours\n").replace("line 15\n", "theirs\n")}`,
    );
  });

  test("the same change made twice", async () => {
    const change = `${replaceLine(3, "same")}; rm other.txt; echo n >new; chmod +x folder/a`;
    const { conflicts, tree, ours } = await merge(change, change);
    expect(conflicts).toEqual([]);
    expect(tree).toBe(ours);
  });

  test("the mode of one and the content of the other", async () => {
    const { conflicts, files } = await merge("chmod +x text.txt", replaceLine(1, "theirs"));
    expect(conflicts).toEqual([]);
    expect(files["text.txt"]).toStartWith("100755 line 0\ntheirs\n");
  });

  test("a file that one made a folder of, and work elsewhere", async () => {
    const { conflicts, files } = await merge(
      "rm text.txt; mkdir text.txt; echo x >text.txt/inner; rm -r folder; echo f >folder",
      "echo x >new; rm link; mkdir link; echo y >link/inner",
    );
    expect(conflicts).toEqual([]);
    expect(Object.keys(files)).toEqual([
      "binary.bin",
      "folder",
      "link/inner",
      "new",
      "other.txt",
      "text.txt/inner",
    ]);
  });

  test("line ends and bytes that are no text come through", async () => {
    const { conflicts, files } = await merge(
      `${replaceLine(1, "a\\r")}; printf '\\377' >>text.txt`,
      replaceLine(12, "b"),
    );
    expect(conflicts).toEqual([]);
    expect(files["text.txt"]).toBe(
      `100644 ${LINES.replace("line 1\n", "a\r\n").replace("line 12\n", "b\n")}\xff`,
    );
  });
});

describe("does not go together, and leaves what is staged as it was", () => {
  const PAIRS: Readonly<
    Record<string, readonly [ours: string, theirs: string, ...paths: string[]]>
  > = {
    "the same line": [replaceLine(3, "ours"), replaceLine(3, "theirs"), "text.txt"],
    "lines that touch": [replaceLine(3, "ours"), replaceLine(4, "theirs"), "text.txt"],
    "one removed what the other changed": ["rm text.txt", replaceLine(3, "theirs"), "text.txt"],
    "one changed what the other removed": [replaceLine(3, "ours"), "rm text.txt", "text.txt"],
    "two new files of one name": ["echo a >new", "echo b >new", "new"],
    "binary content": ["printf '\\000a' >binary.bin", "printf '\\000b' >binary.bin", "binary.bin"],
    "text that the other made binary": [
      replaceLine(3, "ours"),
      "printf '\\000' >text.txt",
      "text.txt",
    ],
    "two targets of a link": ["ln -sf b link", "ln -sf c link", "link"],
    "a link for a file that the other changed": [
      replaceLine(3, "ours"),
      "ln -sf b text.txt",
      "text.txt",
    ],
    "a new file where the other made a folder": ["echo x >new", "mkdir new; echo y >new/y", "new"],
    "a new folder where the other made a file": [
      "mkdir -p new/deep; echo y >new/deep/y",
      "echo x >new",
      "new",
    ],
    "several files, of which others do go together": [
      `${replaceLine(3, "ours")}; ${replaceLine(3, "ours", "other.txt")}; echo a >a`,
      `${replaceLine(3, "theirs")}; ${replaceLine(3, "theirs", "other.txt")}; echo b >b`,
      "other.txt",
      "text.txt",
    ],
    "more conflicts in a file than git counts": [
      "seq -f 'ours %g' 1 1200 | sed 's/$/\\n\\n\\n/' >new",
      "seq -f 'theirs %g' 1 1200 | sed 's/$/\\n\\n\\n/' >new",
      "new",
    ],
  };
  for (const [name, [one, other, ...paths]] of Object.entries(PAIRS)) {
    test(name, async () => {
      const { conflicts, tree, ours } = await merge(one, other);
      expect(conflicts).toEqual(paths);
      expect(tree).toBe(ours);
    });
  }
});

test("a merge needs no working tree and leaves nothing beside the objects", async () => {
  const before = await bench.shell(bench.run.path, "ls -A");
  await merge(replaceLine(1, "ours"), replaceLine(15, "theirs"));
  expect(await bench.shell(bench.run.path, "ls -A")).toBe(before);
  const left = await bench.shell(bench.store.objects, "ls -A");
  expect(
    left.split("\n").filter((name) => name !== "" && !/^([0-9a-f]{2}|info|pack)$/.test(name)),
  ).toEqual([]);
});
