import { describe, expect, test } from "bun:test";
import { createGit } from "../../../../src/platform/git/runner.ts";
import {
  commitFingerprint,
  contentFingerprint,
} from "../../../../src/workflow/triggers/fingerprint.ts";
import { GIT_VARIABLES, testRepository } from "../../../support/repository.ts";
import { tempDir } from "../../../support/temp.ts";

const git = createGit(GIT_VARIABLES);

/** How many different fingerprints a row of changes gives. */
async function changes(
  paths: readonly string[],
  prepare: (repo: Awaited<ReturnType<typeof testRepository>>) => Promise<unknown>,
  ...steps: ((repo: Awaited<ReturnType<typeof testRepository>>) => Promise<unknown>)[]
): Promise<boolean[]> {
  await using repo = await testRepository();
  await prepare(repo);
  let before = await contentFingerprint(git, repo.path, paths);
  const changed: boolean[] = [];
  for (const step of steps) {
    await step(repo);
    const after = await contentFingerprint(git, repo.path, paths);
    changed.push(after !== before);
    before = after;
  }
  return changed;
}

describe("the fingerprint of contents", () => {
  test("changes with what is in files that were changed or new already (C10)", async () => {
    const result = await changes(
      [],
      (repo) => repo.commit("base", { "a.txt": "1\n" }),
      (repo) => repo.write({ "a.txt": "2\n" }),
      (repo) => repo.write({ "a.txt": "3\n" }),
      (repo) => repo.write({ "new dir/ü.txt": "1\n" }),
      (repo) => repo.write({ "new dir/ü.txt": "2\n" }),
      (repo) => repo.write({ "a.txt": null }),
      (repo) => repo.commit("next"),
    );
    expect(result).toEqual([true, true, true, true, true, true]);
  });

  test("does not change with what is staged, ignored, or only touched", async () => {
    const result = await changes(
      [],
      (repo) => repo.commit("base", { "a.txt": "1\n", ".gitignore": "*.log\n" }),
      (repo) => repo.write({ "x.log": "1\n" }),
      (repo) => repo.write({ "a.txt": "1\n" }),
      (repo) => repo.write({ "b.txt": "1\n" }),
      (repo) => repo.git("add", "b.txt"),
    );
    expect(result).toEqual([false, false, true, false]);
  });

  test("works without a commit", async () => {
    const result = await changes(
      [],
      (repo) => repo.write({ "a.txt": "1\n" }),
      (repo) => repo.write({ "a.txt": "2\n" }),
      (repo) => repo.write({}),
      (repo) => repo.commit("first"),
    );
    expect(result).toEqual([true, false, true]);
  });

  test("follows the commit of a repository inside", async () => {
    const result = await changes(
      [],
      async (repo) => {
        await repo.commit("base", { "a.txt": "1\n" });
        await repo.git("init", "-q", "inner");
        await repo.git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "one");
      },
      (repo) => repo.git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "two"),
    );
    expect(result).toEqual([true]);
  });

  test("looks only at the files that patterns name, committed or not", async () => {
    const result = await changes(
      ["src/**", "!src/*.md"],
      (repo) => repo.commit("base", { "src/a.ts": "1\n", "b.ts": "1\n" }),
      (repo) => repo.write({ "b.ts": "2\n", "src/a.md": "1\n" }),
      (repo) => repo.commit("other files"),
      (repo) => repo.write({ "src/a.ts": "2\n" }),
      (repo) => repo.commit("that file"),
    );
    expect(result).toEqual([false, false, true, true]);
  });

  test("is the same in every folder of a repository, and refused outside", async () => {
    await using repo = await testRepository();
    await repo.commit("base", { "sub/a.txt": "1\n" });
    await repo.write({ "b.txt": "1\n" });
    expect(await contentFingerprint(git, repo.join("sub"), [])).toBe(
      await contentFingerprint(git, repo.path, []),
    );
    await using outside = await tempDir();
    await expect(contentFingerprint(git, outside.path, [])).rejects.toMatchObject({
      code: "not_a_repository",
    });
  });
});

test("the fingerprint of commits changes with them alone", async () => {
  await using repo = await testRepository();
  expect(await commitFingerprint(git, repo.path)).toBeUndefined();
  await repo.commit("one", { "a.txt": "1\n" });
  const one = await commitFingerprint(git, repo.path);
  await repo.write({ "a.txt": "2\n" });
  expect(await commitFingerprint(git, repo.path)).toBe(one);
  await repo.commit("two");
  expect(await commitFingerprint(git, repo.path)).not.toBe(one);
});
