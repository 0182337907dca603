/** Edits work in every kind of repository and checkout that git knows. */
import { expect, test } from "bun:test";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { readTree } from "../../../../../src/workflow/edits/trees/tree.ts";
import { addWorktree } from "../../../../../src/workflow/edits/worktrees/worktree.ts";
import {
  cloneOf,
  type EditBench,
  editBench,
  filesBelow,
  newEditBench,
} from "../../../../support/edit-bench.ts";
import { repositoryIn, testRepository } from "../../../../support/repository.ts";
import { tempDir } from "../../../../support/temp.ts";

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "folder/c.txt": "c\n", "far/d.txt": "d\n" };
const WORK =
  "echo x >>a.txt; rm b.txt; echo new >new.txt; git mv folder/c.txt moved.txt; ln -s a.txt l";
const DONE = {
  "a.txt": "100644 one\ntwo\nx\n",
  "far/d.txt": "100644 d\n",
  l: "120000 a.txt",
  "moved.txt": "100644 c\n",
  "new.txt": "100644 new\n",
};

async function expectEdits(bench: EditBench): Promise<void> {
  const worker = await bench.open();
  await bench.shell(worker.root, WORK);
  const { tree, skipped } = await bench.capture(worker);
  expect(skipped).toEqual([]);
  expect(await bench.files(tree)).toEqual(DONE);
  const next = await bench.open(tree);
  expect(await filesBelow(next.root)).toEqual(DONE);
  expect(await bench.shell(next.root, "git status --porcelain")).toBe("");
  await bench.remove(worker);
  await bench.remove(next);
  expect(
    (await bench.git.run(["worktree", "list"], { cwd: bench.commonDir })).stdout,
  ).not.toContain(bench.run.path);
}

test("D2: work above the sub-directory that the worker began in is taken", async () => {
  await using bench = await newEditBench(FILES, {});
  const worker = await bench.open();
  await bench.shell(`${worker.root}/folder`, "echo x >c.txt; echo y >../a.txt; echo n >../far/new");
  const { changes } = await bench.capture(worker);
  expect(changes.map(({ path }) => path)).toEqual(["a.txt", "far/new", "folder/c.txt"]);
});

test("D10: a checkout named by a sub-directory gives whole working trees", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", FILES);
  await using bench = await editBench(repo, { checkout: repo.join("folder") });
  await expectEdits(bench);
});

test("a linked working tree as the user's checkout", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", FILES);
  await using dir = await tempDir();
  await repo.git("worktree", "add", "-q", "-b", "other", dir.join("linked"));
  await using bench = await editBench(repo, { checkout: dir.join("linked") });
  expect(bench.commonDir).toBe(repo.join(".git"));
  await expectEdits(bench);
});

test("a working tree of a bare repository", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", FILES);
  const bare = await cloneOf(repo, "--bare");
  await repo[Symbol.asyncDispose]();
  await using dir = await tempDir();
  await bare.git("worktree", "add", "-q", dir.join("checkout"), "main");
  await using bench = await editBench(bare, { checkout: dir.join("checkout") });
  await expectEdits(bench);
});

test("a git directory that lies elsewhere, with core.worktree", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", FILES);
  await using dir = await tempDir();
  await rename(repo.join(".git"), dir.join("elsewhere.git"));
  await Bun.write(repo.join(".git"), `gitdir: ${dir.join("elsewhere.git")}\n`);
  await repo.git("config", "core.worktree", repo.path);
  await using bench = await editBench(repo);
  await expectEdits(bench);
});

test("a submodule as the checkout, whose settings name its working tree", async () => {
  const inner = await testRepository();
  await inner.commit("Begin", FILES);
  const outer = await testRepository();
  await outer.git(
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    inner.path,
    "sub",
  );
  await outer.commit("Begin");
  await inner[Symbol.asyncDispose]();
  await using bench = await editBench(outer, { checkout: outer.join("sub") });
  await expectEdits(bench);
});

test("a run whose files lie below the top of the repository", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", { ...FILES, ".gitignore": "" });
  await repo.git("config", "core.worktree", "/");
  await using bench = await editBench(repo, { checkout: repo.path });
  const base = await bench.base();
  expect([...(await readTree(bench.store, base)).keys()]).toContain("far/d.txt");
  const { tree } = await bench.capture(await bench.open());
  expect(tree).toBe(base);
});

test("submodules stay what they are, and work inside of them is named", async () => {
  const inner = await testRepository();
  await inner.commit("Begin", { "x.txt": "x\n" });
  const repo = await testRepository();
  const allowed = ["-c", "protocol.file.allow=always"];
  for (const name of ["one", "two", "three"]) {
    await repo.git(...allowed, "submodule", "--quiet", "add", inner.path, name);
  }
  await repo.commit("Begin", FILES);
  await using bench = await editBench(repo);
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    `git ${allowed.join(" ")} submodule --quiet update --init one; echo work >one/x.txt
     git rm -q two; echo x >>a.txt; git add -A; git commit -qm x`,
  );
  const { changes, skipped } = await bench.capture(worker);
  expect(changes.map(({ path }) => path)).toEqual([".gitmodules", "a.txt"]);
  expect(skipped).toEqual(["one", "two"]);
  await bench.remove(worker);
  await inner[Symbol.asyncDispose]();
});

test("a sparse checkout: what is outside of it is neither deleted nor lost", async () => {
  for (const mode of ["--cone", "--no-cone"]) {
    const repo = await testRepository();
    await repo.commit("Begin", FILES);
    await repo.git("sparse-checkout", "set", mode, "folder");
    await using bench = await editBench(repo);
    const worker = await bench.open();
    expect(Object.keys(await filesBelow(worker.root))).not.toContain("far/d.txt");
    expect((await bench.capture(worker)).changes).toEqual([]);

    await bench.shell(
      worker.root,
      "echo x >>folder/c.txt; mkdir -p far; echo y >far/d.txt; echo n >far/new",
    );
    const { tree } = await bench.capture(worker);
    const done = {
      "a.txt": "100644 one\ntwo\n",
      "b.txt": "100644 b\n",
      "far/d.txt": "100644 y\n",
      "far/new": "100644 n\n",
      "folder/c.txt": "100644 c\nx\n",
    };
    expect(await bench.files(tree)).toEqual(done);
    const next = await bench.open(tree);
    expect(await filesBelow(next.root)).toMatchObject({ "far/d.txt": "100644 y\n" });
    expect(await bench.shell(next.root, "git status --porcelain")).toBe("");
    expect((await bench.capture(next)).tree).toBe(tree);
  }
});

test("a sparse index", async () => {
  const repo = await testRepository();
  await repo.commit("Begin", FILES);
  await repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "folder");
  await using bench = await editBench(repo);
  const worker = await bench.open();
  await bench.shell(worker.root, "echo x >>folder/c.txt");
  const { changes, tree } = await bench.capture(worker);
  expect(changes.map(({ path }) => path)).toEqual(["folder/c.txt"]);
  const next = await bench.open(tree);
  expect(await bench.shell(next.root, "git status --porcelain")).toBe("");
});

test("a shallow clone", async () => {
  const origin = await testRepository();
  await origin.commit("Before", FILES);
  await origin.commit("Begin");
  await using bench = await editBench(await cloneOf(origin, "--depth=1"));
  await origin[Symbol.asyncDispose]();
  await expectEdits(bench);
});

test("a partial clone whose origin is gone: nothing is fetched", async () => {
  const origin = await testRepository();
  await origin.commit("Before", { "a.txt": "old\n" });
  await origin.commit("Begin", FILES);
  await origin.git("config", "uploadpack.allowFilter", "true");
  const clone = await cloneOf(origin, "--filter=blob:none");
  await origin[Symbol.asyncDispose]();
  await using bench = await editBench(clone);
  await expectEdits(bench);
});

test("a partial and sparse clone: contents that are not there are not needed", async () => {
  const origin = await testRepository();
  await origin.commit("Begin", FILES);
  await origin.git("config", "uploadpack.allowFilter", "true");
  const clone = await cloneOf(origin, "--filter=blob:none", "--sparse");
  await clone.git("sparse-checkout", "set", "folder");
  await origin[Symbol.asyncDispose]();
  await using bench = await editBench(clone);
  const worker = await bench.open();
  await bench.shell(worker.root, "echo x >>folder/c.txt; echo n >new; mkdir far; echo y >far/new");
  const { changes, tree } = await bench.capture(worker);
  expect(changes.map(({ path }) => path)).toEqual(["far/new", "folder/c.txt", "new"]);
  const next = await bench.open(tree);
  expect(await bench.shell(next.root, "git status --porcelain")).toBe("");
});

test("a repository that borrows its objects", async () => {
  const origin = await testRepository();
  await origin.commit("Begin", FILES);
  const clone = await testRepository();
  await clone.git("pull", "-q", origin.path, "main");
  await rm(clone.join(".git/objects"), { recursive: true });
  await mkdir(clone.join(".git/objects/info"), { recursive: true });
  await Bun.write(clone.join(".git/objects/info/alternates"), `${origin.join(".git/objects")}\n`);
  await using bench = await editBench(clone);
  await expectEdits(bench);
  await origin[Symbol.asyncDispose]();
});

test("a repository with SHA-256 names", async () => {
  await using bench = await newEditBench(FILES, { init: ["--object-format=sha256"] });
  expect(await bench.base()).toHaveLength(64);
  await expectEdits(bench);
});

test("without a commit there is nothing to begin from", async () => {
  await using repo = await testRepository();
  await using bench = await editBench(repo);
  const adding = addWorktree(bench.git, repo.path, bench.run.join("worktrees/x"), "HEAD");
  await expect(adding).rejects.toMatchObject({ code: "git_failed" });
});

test("paths with colons, quotes, spaces and newlines", async () => {
  await using dir = await tempDir();
  for (const name of ["a:b", 'a"b', '"a', "a b\\c", "a\nb", "-a", "ü"]) {
    await mkdir(dir.join(name));
    const repo = repositoryIn({
      path: dir.join(name),
      join: (...names) => dir.join(name, ...names),
      async [Symbol.asyncDispose]() {},
    });
    await repo.git("init", "-q", "-b", "main");
    await repo.commit("Begin", FILES);
    await using bench = await editBench(repo, { objects: name });
    await expectEdits(bench);
  }
});

test("nothing is written into the repository's objects but what seeds a working tree", async () => {
  await using bench = await newEditBench(FILES);
  const worker = await bench.open();
  const count = async () => bench.repo.git("count-objects");
  const before = await count();
  await bench.shell(worker.root, "echo x >>a.txt; echo n >n");
  await bench.capture(worker);
  expect(await count()).toBe(before);
  expect(await readdir(bench.commonDir)).not.toContain("index.lock");
});
