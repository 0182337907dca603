import { expect, test } from "bun:test";
import { createGit } from "../../../src/platform/git/runner.ts";
import { readWorkingTree } from "../../../src/repo/working-tree.ts";
import { GIT_VARIABLES, testRepository } from "../../support/repository.ts";

test("a file staged as deleted that is there again is listed once, as changed", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" });
  await repo.git("rm", "-q", "--cached", "a.ts", "b.ts");
  await repo.write({ "a.ts": "export const a = 2;\n", "b.ts": null });
  const { changes } = await readWorkingTree(createGit(GIT_VARIABLES), repo.path);
  expect(changes).toEqual([
    { path: "a.ts", status: "M" },
    { path: "b.ts", status: "D" },
  ]);
});

test("a file staged as renamed whose old name is there again is a new one beside a changed one", async () => {
  await using repo = await testRepository();
  await repo.commit("first", { "a.ts": "export const a = 1;\n".repeat(5) });
  await repo.git("mv", "a.ts", "b.ts");
  await repo.write({ "a.ts": "export * from './b';\n" });
  const { changes } = await readWorkingTree(createGit(GIT_VARIABLES), repo.path);
  expect(changes).toEqual([
    { path: "a.ts", status: "M" },
    { path: "b.ts", status: "A" },
  ]);
});
