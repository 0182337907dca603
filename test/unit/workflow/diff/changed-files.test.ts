import { expect, test } from "bun:test";
import { changedFiles } from "../../../../src/workflow/diff/changed-files.ts";

const MEGABYTE = 1024 * 1024;

async function* stream(...texts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function added(name: string, content: string | Buffer): Buffer {
  const head = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\n")]);
}

test("the texts of files are the patch, byte for byte", async () => {
  const patches = [added("a", "one\r"), added("b", "zwei ä\u001b[31m"), added("c", "")];
  const files = await changedFiles(stream(...patches), true);
  expect(files.map(({ patch }) => patch).join("")).toBe(Buffer.concat(patches).toString());
  expect(files.map(({ additions, deletions }) => [additions, deletions])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
});

test("a text that is too long or no UTF-8 is left out, and why is said", async () => {
  const files = await changedFiles(
    stream(
      added("long", "x".repeat(MEGABYTE)),
      added("bytes", Buffer.from([0xff])),
      added("b", "b"),
    ),
    true,
  );
  expect(files.map(({ path, patch_omitted }) => [path, patch_omitted])).toEqual([
    ["long", "too_large"],
    ["bytes", "not_utf8"],
    ["b", undefined],
  ]);
  expect(files.map(({ additions }) => additions)).toEqual([1, 1, 1]);
});

test("all texts together are no more than a reader can hold", async () => {
  const half = "x".repeat(MEGABYTE / 2);
  const patches = Array.from({ length: 80 }, (_, index) => added(`f${index}`, half));
  const files = await changedFiles(stream(...patches), true);
  const omitted = files.filter(({ patch_omitted }) => patch_omitted === "too_large");
  expect(files).toHaveLength(80);
  expect(omitted.length).toBeGreaterThan(10);
  expect(omitted.length).toBeLessThan(30);
});

test("without texts only what changed is said", async () => {
  const [file] = await changedFiles(stream(added("a", "x")), false);
  expect(file).toEqual({
    path: "a",
    change: "added",
    new_mode: "100644",
    binary: false,
    additions: 1,
    deletions: 0,
  });
});
