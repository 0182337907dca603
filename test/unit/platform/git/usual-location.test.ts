import { describe, expect, test } from "bun:test";
import { rename, symlink } from "node:fs/promises";
import { locate } from "../../../../src/platform/git/locate.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { usualLocation } from "../../../../src/platform/git/usual-location.ts";
import { GIT_VARIABLES, type TestRepository, testRepository } from "../../../support/repository.ts";
import { tempDir } from "../../../support/temp.ts";

/** What git says of a folder, as far as the other tells it. */
async function gitSays(cwd: string) {
  const { commonDir = "", top = "" } = await locate(createGit(GIT_VARIABLES), cwd);
  return { commonDir, top };
}

async function withRepository(work: (repo: TestRepository) => Promise<void>): Promise<void> {
  await using repo = await testRepository();
  await repo.commit("begin", { "src/deep/a.ts": "", "b.ts": "" });
  await work(repo);
}

describe("usualLocation", () => {
  test("says what git says, at the top, below it, and through links", () =>
    withRepository(async (repo) => {
      await using elsewhere = await tempDir();
      await symlink(repo.join("src/deep"), elsewhere.join("link"));
      for (const cwd of [repo.path, repo.join("src/deep"), elsewhere.join("link")]) {
        expect(await usualLocation(cwd)).toEqual(await gitSays(cwd));
      }
    }));

  test("says the same before the first commit, and at a commit without a branch", () =>
    withRepository(async (repo) => {
      await using empty = await testRepository();
      expect(await usualLocation(empty.path)).toEqual(await gitSays(empty.path));
      await repo.git("checkout", "-q", "--detach");
      expect(await usualLocation(repo.path)).toEqual(await gitSays(repo.path));
    }));

  test("leaves to git what lies elsewhere: linked working trees, and a git directory behind a link", () =>
    withRepository(async (repo) => {
      await repo.git("worktree", "add", "-q", "linked");
      expect(await usualLocation(repo.join("linked"))).toBeUndefined();
      await rename(repo.join(".git"), repo.join("git"));
      await symlink("git", repo.join(".git"));
      expect(await usualLocation(repo.path)).toBeUndefined();
    }));

  test("leaves to git what settings may have moved", async () => {
    for (const setting of ["core.worktree", "extensions.worktreeConfig", "include.path"]) {
      await withRepository(async (repo) => {
        await repo.git("config", setting, setting.startsWith("ext") ? "true" : repo.join("src"));
        expect(await usualLocation(repo.path)).toBeUndefined();
      });
    }
  });

  test("takes a folder `.git` that is no repository for none", () =>
    withRepository(async (repo) => {
      for (const part of ["HEAD", "objects", "refs"]) {
        await repo.write({ "sub/.git": null });
        await repo.write({
          "sub/.git/HEAD": "ref: refs/heads/main\n",
          "sub/.git/config": "",
          "sub/.git/objects/a": "",
          "sub/.git/refs/a": "",
        });
        expect(await usualLocation(repo.join("sub"))).toBeDefined();
        await repo.write({ [`sub/.git/${part}`]: null });
        expect(await usualLocation(repo.join("sub"))).toBeUndefined();
      }
    }));

  test("knows nothing of a folder outside of any repository, or of one that is missing", async () => {
    await using outside = await tempDir();
    expect(await usualLocation(outside.path)).toBeUndefined();
    expect(await usualLocation(outside.join("missing"))).toBeUndefined();
  });
});
