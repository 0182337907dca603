import { expect, test } from "bun:test";
import { createGit } from "../../../src/platform/git/runner.ts";
import { readLargeWorkingTree, readWorkingTree } from "../../../src/repo/working-tree.ts";
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

test("two processes say of a large working tree what one says of any", async () => {
  await using repo = await testRepository();
  const text = "export const a = 1;\n".repeat(5);
  const names = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "sub/f.ts"];
  await repo.commit("first", Object.fromEntries(names.map((name) => [name, `${name}\n${text}`])));
  await repo.git("mv", "a.ts", "moved.ts");
  await repo.git("rm", "-q", "--cached", "b.ts", "c.ts");
  await repo.write({
    "c.ts": null,
    "d.ts": "",
    "sub/f.ts": null,
    "sub/new file.ts": "",
    ".gitignore": "*.log\n!kept.log\nout/\n",
    "x.log": "",
    "kept.log": "",
    "out/a.ts": "",
    ".pallium/index.sqlite": "",
    "nested/inside.ts": "",
    "deep/er/new\nline.ts": "",
  });
  await repo.git("init", "-q", "nested");
  await repo.git("add", "-N", "deep/er/new\nline.ts");
  const git = createGit(GIT_VARIABLES);
  const expected = await readWorkingTree(git, repo.path);
  expect(expected.changes.length).toBeGreaterThan(8);
  expect(await readLargeWorkingTree(git, repo.path)).toEqual(expected);
});
