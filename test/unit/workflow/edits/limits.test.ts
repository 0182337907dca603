/** What permissions, full disks and large files do to edits. */
import { expect, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runChild } from "../../../support/child.ts";
import { editBench, newEditBench } from "../../../support/edit-bench.ts";
import { testRepository } from "../../../support/repository.ts";
import { tempDir } from "../../../support/temp.ts";

const SUPPORT = join(import.meta.dir, "../../../support");
const asNobody = (script: string) =>
  runChild([process.execPath, join(SUPPORT, "edits-as-nobody.ts"), script]);

const FILES = { "a.txt": "100644 a\n", "b.txt": "100644 b\n", "folder/c.txt": "100644 c\n" };

test("files that may not be read are named, all others are taken", async () => {
  const script = "echo x >>a.txt; echo s >secret; echo n >n; chmod 000 a.txt secret; rm b.txt";
  expect(await asNobody(script)).toEqual({
    files: { "a.txt": "100644 a\n", "folder/c.txt": "100644 c\n", n: "100644 n\n" },
    skipped: ["a.txt", "secret"],
    removed: true,
  });
});

test("folders that a worker made read-only are taken and removed", async () => {
  const script = `mkdir -p cache/deep "cache/$(printf 'n\\377')"; echo x >cache/deep/x
    echo y >"cache/$(printf 'n\\377')/y"; chmod -R a-w cache folder; chmod 500 .`;
  expect(await asNobody(script)).toEqual({
    files: { ...FILES, "cache/deep/x": "100644 x\n", "cache/n\xff/y": "100644 y\n" },
    skipped: [],
    removed: true,
  });
});

test("a folder of the base that may not be entered is no deletion", async () => {
  expect(await asNobody("echo x >x; chmod 000 folder")).toEqual({
    error: {
      code: "permission_denied",
      message: expect.stringContaining("folder/c.txt"),
      hints: [expect.any(String)],
    },
    removed: true,
  });
});

test("a disk that is full while files are taken is disk_full, and costs nothing", async () => {
  await using dir = await tempDir();
  const shim = `#!/bin/sh
    case "$*" in *hash-object*) [ -e "${dir.path}/full" ] && { trap '' XFSZ; ulimit -f 100; };; esac
    exec ${Bun.which("git")} "$@"\n`;
  await writeFile(dir.join("git"), shim);
  await chmod(dir.join("git"), 0o755);
  const repo = await testRepository();
  await repo.commit("Begin", { "a.txt": "a\n" });
  const variables = { PATH: `${dir.path}:${process.env.PATH}` };
  await using bench = await editBench(repo, { variables });
  const worker = await bench.open();
  await bench.shell(worker.root, "echo x >>a.txt; head -c 200000 /dev/urandom >new");
  await writeFile(dir.join("full"), "");
  await expect(bench.capture(worker)).rejects.toMatchObject({ code: "disk_full" });
  await Bun.file(dir.join("full")).delete();
  const { changes } = await bench.capture(worker);
  expect(changes.map(({ path }) => path)).toEqual(["a.txt", "new"]);
});

test("contents that are lost are told before a file is touched", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n" });
  const worker = await bench.open();
  await bench.shell(worker.root, "rm a.txt; echo new >new");
  const { tree, changes } = await bench.capture(worker);
  const blob = changes.find(({ path }) => path === "new")?.after?.blob ?? "";
  await Bun.file(join(bench.store.objects, blob.slice(0, 2), blob.slice(2))).delete();
  await expect(bench.open(tree)).rejects.toMatchObject({ code: "edit_objects_lost" });
  expect(await bench.shell(bench.run.path, "ls worktrees/w2")).toBe("a.txt\n");
});
