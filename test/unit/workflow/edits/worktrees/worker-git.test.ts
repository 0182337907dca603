/** What a worker does with git in its working tree costs neither its work nor the user's repository. */
import { describe, expect, test } from "bun:test";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeWorktree } from "../../../../../src/workflow/edits/worktrees/worktree.ts";
import { type EditBench, filesBelow, newEditBench } from "../../../../support/edit-bench.ts";

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "folder/c.txt": "c\n" };
const WORK = "echo x >>a.txt; rm b.txt; echo new >new.txt";

async function expectWhole(bench: EditBench, script: string): Promise<void> {
  const worker = await bench.open();
  await bench.shell(worker.root, script);
  const done = await filesBelow(worker.root);
  const { tree } = await bench.capture(worker);
  expect(await bench.files(tree)).toEqual(done);
  const next = await bench.open(tree);
  expect(await filesBelow(next.root)).toEqual(done);
  await bench.remove(worker);
  await bench.remove(next);
}

async function worktreesOf(bench: EditBench): Promise<number> {
  const list = await bench.repo.git("worktree", "list", "--porcelain");
  return list.match(/^worktree /gm)?.length ?? 0;
}

describe("work is taken although the worker", () => {
  const SCRIPTS: Readonly<Record<string, string>> = {
    "deleted .git": `${WORK}; rm .git`,
    "wrote nonsense into .git": `${WORK}; echo nonsense >.git`,
    "led .git elsewhere": `${WORK}; git init -q ../elsewhere; echo "gitdir: ../elsewhere/.git" >.git`,
    "made a repository of its own": `${WORK}; rm .git; git init -q; git add -A; git commit -qm x`,
    "lost its index": `${WORK}; echo nonsense >"$(git rev-parse --git-dir)/index"`,
    "left a lock": `${WORK}; touch "$(git rev-parse --git-dir)/index.lock"`,
    "emptied its index": `${WORK}; git read-tree --empty`,
    "D1: committed on a branch and left it": `${WORK}; git switch -qc work; git add -A; git commit -qm x; git switch -q --detach HEAD~; ${WORK}`,
    "D1: reset softly": `${WORK}; git add -A; git commit -qm x; git reset -q --soft HEAD~`,
    "D1: reset hard to what was before":
      "echo x >>a.txt; git commit -qam x; git reset -q --hard HEAD~; echo y >>a.txt",
    "D1: stashed and took it back": `${WORK}; git stash -qu; echo o >other.txt; git stash pop -q`,
    "stopped in a merge": `git switch -qc one; echo 1 >a.txt; git commit -qam 1; git switch -qc two HEAD~
      echo 2 >a.txt; git commit -qam 2; git merge -q one || true; echo n >n`,
    "ran gc": `${WORK}; git add -A; git commit -qm x; git gc -q --prune=now`,
    "assumed files unchanged":
      "git update-index --assume-unchanged a.txt; git update-index --skip-worktree b.txt; echo x >>a.txt; rm b.txt",
    "ignores what is tracked": `${WORK}; printf 'a.txt\\nfolder/\\n' >.gitignore; echo x >>folder/c.txt`,
    "made settings of its own": `${WORK}; git config core.worktree /nonexistent; git config core.bare true
      git config core.excludesFile "$PWD/x"; git config core.fsmonitor false; git config core.ignoreCase true`,
  };
  for (const [name, script] of Object.entries(SCRIPTS)) {
    test(name, async () => {
      await using bench = await newEditBench(FILES);
      await expectWhole(bench, script);
    });
  }
});

test("a working tree that a worker made inside goes with its own", async () => {
  await using bench = await newEditBench(FILES);
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    `${WORK}; git worktree add -q inner; echo x >inner/x; git worktree lock inner`,
  );
  expect((await bench.capture(worker)).skipped).toEqual(["inner"]);
  await bench.remove(worker);
  expect(await worktreesOf(bench)).toBe(1);
});

test("a working tree that was locked, moved out of git's sight or left half made can be removed and made anew", async () => {
  await using bench = await newEditBench(FILES);
  const worker = await bench.open();
  await bench.shell(worker.root, "git worktree lock .; rm .git");
  await bench.remove(worker);
  await bench.remove(worker);
  expect(await worktreesOf(bench)).toBe(1);
  const args = ["worktree", "add", "-q", "--detach", worker.root];
  await bench.repo.git(...args);
});

test("working trees of others stay", async () => {
  await using bench = await newEditBench(FILES);
  const [one, two] = [await bench.open(), await bench.open()];
  await bench.repo.git("worktree", "add", "-q", bench.run.join("mine"));
  await bench.remove(one);
  expect(await bench.shell(two.root, "git status --porcelain")).toBe("");
  expect(await worktreesOf(bench)).toBe(3);
});

test("git may name working trees by relative paths", async () => {
  await using bench = await newEditBench(FILES);
  const worker = await bench.open();
  const known = join(bench.commonDir, "worktrees", "w1");
  await bench.shell(known, `realpath --relative-to=. "${worker.root}/.git" >gitdir`);
  await bench.remove(worker);
  expect(await worktreesOf(bench)).toBe(1);
});

test("what a worker puts in the place of its whole working tree is not looked at", async () => {
  await using bench = await newEditBench(FILES);
  const outside = bench.run.join("outside");
  await mkdir(outside);
  await writeFile(join(outside, "a.txt"), "secret\n");
  const worker = await bench.open();
  await rename(worker.root, bench.run.join("moved"));
  await expect(bench.capture(worker)).rejects.toMatchObject({ code: "worktree_lost" });
  await symlink(outside, worker.root);
  await expect(bench.capture(worker)).rejects.toMatchObject({ code: "worktree_lost" });
  await bench.remove(worker);
  expect(await filesBelow(outside)).toEqual({ "a.txt": "100644 secret\n" });
});

test("nothing is removed that lies elsewhere, not through a link either", async () => {
  await using bench = await newEditBench(FILES);
  await bench.base();
  const within = bench.run.join("worktrees");
  const outside = bench.run.join("outside");
  await mkdir(join(outside, "kept"), { recursive: true });
  await symlink(outside, join(within, "link"));
  for (const root of [
    outside,
    within,
    join(within, "..", "outside"),
    join(within, "link", "kept"),
  ]) {
    await expect(removeWorktree(bench.commonDir, root, within)).rejects.toMatchObject({
      code: "worktree_outside",
    });
  }
  await rm(join(within, "link"));
});

test("the user's branch, index, files and stash are as they were", async () => {
  await using bench = await newEditBench(FILES);
  await bench.repo.write({ "a.txt": "mine\n", "untracked.txt": "mine\n" });
  await bench.repo.git("add", "a.txt");
  const look = async () => [
    await bench.repo.git("status", "--porcelain=v2", "--branch"),
    await bench.repo.git("for-each-ref"),
    await bench.repo.git("config", "--list", "--local"),
    await filesBelow(bench.repo.path),
  ];
  const before = await look();
  await expectWhole(bench, `${WORK}; git add -A; git commit -qm x`);
  expect(await look()).toEqual(before);
});
