import { expect, test } from "bun:test";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { treeState } from "../../../../src/repo/verification/tree-state.ts";
import { readWorkingTree } from "../../../../src/repo/working-tree.ts";
import { GIT_VARIABLES, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);

test("a state is that of the files: each edit is another, the edit taken back is the first", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "a.ts": "1", "b.ts": "1" });
  const state = async () => treeState(repo.path, await readWorkingTree(git, repo.path));
  const clean = await state();
  await repo.write({ "a.ts": "2" });
  const edited = await state();
  await repo.write({ "a.ts": "3" });
  const other = await state();
  await repo.write({ "a.ts": "1", "new.ts": "1" });
  const added = await state();
  await repo.write({ "new.ts": null });
  expect(await state()).toEqual(clean);
  expect(new Set([clean, edited, other, added].map(({ tree }) => tree)).size).toBe(4);
  expect(new Set([clean, edited, other, added].map(({ head }) => head)).size).toBe(1);
});
