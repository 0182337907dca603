import { describe, expect, test } from "bun:test";
import { byteLines } from "../../../src/lib/byte-lines.ts";
import { type PatchPart, patchParts } from "../../../src/lib/patch-parts.ts";

/** Hands bytes over in pieces of one size, so that lines are split everywhere. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function partsOf(text: string | Buffer, size = 7): Promise<readonly PatchPart[]> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return (await Array.fromAsync(patchParts(inPieces(bytes, size), 1000))).flat();
}

async function fileOf(text: string | Buffer) {
  const [part] = await partsOf(text);
  if (part?.kind !== "file") throw new Error("no file");
  return part.file;
}

describe("the lines of a stream", () => {
  test.each([1, 2, 3, 100])("are the same in pieces of %d bytes", async (size) => {
    const bytes = Buffer.from("one\n\ntwo\r\nlast");
    const lines = (await Array.fromAsync(byteLines(inPieces(bytes, size), 100))).flat();
    expect(lines.map((line) => line.bytes.toString())).toEqual(["one", "", "two\r", "last"]);
  });

  test("say how much of them is left out", async () => {
    const bytes = Buffer.from(`${"x".repeat(50)}\nshort\n`);
    const lines = (await Array.fromAsync(byteLines(inPieces(bytes, 8), 10))).flat();
    expect(lines.map((line) => [line.bytes.toString(), line.omitted])).toEqual([
      ["x".repeat(10), 40],
      ["short", 0],
    ]);
  });
});

describe("the parts of a patch", () => {
  test("are told by the counts of hunks, whatever lines look like", async () => {
    const patch = [
      "diff --git a/x b/x",
      "index 1..2 100644",
      "--- a/x",
      "+++ b/x",
      "@@ -1,3 +1,3 @@ diff --git a/y b/y",
      " diff --git a/y b/y",
      "--- a/y",
      "+++ b/y",
      "-@@ -1 +1 @@",
      "+new",
      "\\ No newline at end of file",
      "@@ -9 +9,0 @@",
      "-gone",
      "diff --git a/z b/z",
      "old mode 100644",
      "new mode 100755",
      "",
    ].join("\n");
    const kinds = (await partsOf(patch)).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "file",
      "hunk",
      "context",
      "removed",
      "added",
      "removed",
      "added",
      "remark",
      "hunk",
      "removed",
      "file",
    ]);
  });

  test("of binary files hold every line of theirs", async () => {
    const patch =
      "diff --git a/b b/b\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIc\n\nliteral 0\nHc\n\ndiff --git a/c b/c\n";
    const parts = await partsOf(patch);
    expect(parts.map(({ kind }) => kind)).toEqual([
      "file",
      ...Array(6).fill("binary"),
      "file",
    ] as PatchPart["kind"][]);
    expect(await fileOf(patch)).toMatchObject({ path: "b", binary: true, change: "modified" });
  });

  test.each([
    ["diff --git a/with blanks b/with blanks", "with blanks"],
    ["diff --git a/x b/y b/x b/y", "x b/y"],
    ['diff --git "a/tab\\there" "b/tab\\there"', "tab\there"],
    ['diff --git "a/say \\"hi\\"\\\\" "b/say \\"hi\\"\\\\"', 'say "hi"\\'],
    ['diff --git "a/line\\nbreak" "b/line\\nbreak"', "line\nbreak"],
    ["diff --git a/日本.txt b/日本.txt", "日本.txt"],
    ['diff --git "a/日\\t本" "b/日\\t本"', "日\t本"],
  ])("name the file of %j", async (line, path) => {
    expect((await fileOf(`${line}\nold mode 100644\nnew mode 100755\n`)).path).toBe(path);
  });

  test("name files whose names are not UTF-8 as bytes", async () => {
    const plain = Buffer.from("diff --git a/caf\xe9 b/caf\xe9\n", "latin1");
    expect((await fileOf(plain)).path).toBe('"caf\\351"');
    const quoted = Buffer.from('diff --git "a/\\tcaf\xe9" "b/\\tcaf\xe9"\n', "latin1");
    expect((await fileOf(quoted)).path).toBe('"\\011caf\\351"');
  });

  test("say what became of the file", async () => {
    const renamed =
      "diff --git a/old b b/new\nsimilarity index 90%\nrename from old b\nrename to new\nindex 1..2 100644\n";
    expect(await fileOf(renamed)).toEqual({
      path: "new",
      old_path: "old b",
      change: "renamed",
      old_mode: "100644",
      new_mode: "100644",
      binary: false,
    });
    expect(await fileOf("diff --git a/n b/n\nnew file mode 120000\nindex 0..2\n")).toEqual({
      path: "n",
      change: "added",
      new_mode: "120000",
      binary: false,
    });
    expect(await fileOf("diff --git a/n b/n\ndeleted file mode 100755\nindex 1..0\n")).toEqual({
      path: "n",
      change: "deleted",
      old_mode: "100755",
      binary: false,
    });
  });

  test("of no patch are none", async () => {
    expect(await partsOf("")).toEqual([]);
  });
});
