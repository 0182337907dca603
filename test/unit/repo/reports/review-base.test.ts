/** Where a change begins. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { reviewReport } from "../../../../src/repo/reports/review.ts";
import { baseAndRepo } from "../../../../src/repo/reports/review-arguments.ts";
import { baseFromHead, commitOf, reviewBase } from "../../../../src/repo/reports/review-base.ts";
import { beginRange, reviewRange } from "../../../../src/repo/reports/review-range.ts";
import { withReports } from "../../../support/reports.ts";
import { GIT_VARIABLES, repositoryIn, testRepository } from "../../../support/repository.ts";
import { tempDir } from "../../../support/temp.ts";

const git = createGit(GIT_VARIABLES);

describe("the base of a review", () => {
  test("is the merge base: what others did meanwhile is no part of it (repo C3)", async () => {
    await using repo = await testRepository();
    const fork = await repo.commit("first", { "a.ts": "1\n" });
    await repo.git("checkout", "-q", "-b", "feature");
    await repo.commit("mine", { "mine.ts": "1\n" });
    await repo.git("checkout", "-q", "main");
    await repo.commit("theirs", { "theirs.ts": "1\n" });
    await repo.git("checkout", "-q", "feature");
    const report = await withReports(repo, (context) => reviewReport(context, { base: "main" }));
    expect(report.merge_base).toBe(fork);
    expect(report.base_ref).toBe("main");
    expect(report.changed_files.map(({ path }) => path)).toEqual(["mine.ts"]);
  });

  test("is the empty tree where there is one commit only (repo U6)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n", "b.ts": "1\n" });
    const report = await withReports(repo, (context) => reviewReport(context));
    expect(report.changed_files.map(({ path, status }) => status + path)).toEqual([
      "Aa.ts",
      "Ab.ts",
    ]);
    expect(report.notes.join(" ")).toContain("every file counts as new");
  });

  test("is the empty tree at the end of a clone of depth 1 (repo U6)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.commit("second", { "b.ts": "1\n" });
    await using dir = await tempDir();
    const clone = repositoryIn(dir);
    await clone.git("clone", "-q", "--depth=1", `file://${repo.path}`, ".");
    const report = await withReports(clone, (context) => reviewReport(context));
    expect(report.changed_files).toHaveLength(2);
  });

  test("needs no commit at all", async () => {
    await using repo = await testRepository();
    await repo.write({ "a.ts": "1\n", "b.ts": "1\n" });
    await repo.git("add", "b.ts");
    const report = await withReports(repo, (context) => reviewReport(context), {
      isIndexed: false,
    });
    expect(report.changed_files.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
    expect(report.freshness.reasons).toContain("The repository has no commits yet.");
  });

  test.each(["--output=stolen", "-x", ""])(
    "refuses %p, which git would take for an option (repo X2)",
    async (base) => {
      await using repo = await testRepository();
      const head = await repo.commit("first", { stolen: "kept\n" });
      await expect(reviewBase(git, repo.path, head, base)).rejects.toMatchObject({
        code: "bad_ref",
      });
      expect(await readFile(repo.join("stolen"), "utf8")).toBe("kept\n");
    },
  );

  test("says that nothing has the name", async () => {
    await using repo = await testRepository();
    const head = await repo.commit("first", { "a.ts": "1\n" });
    await expect(reviewBase(git, repo.path, head, "nowhere")).rejects.toMatchObject({
      code: "base_unknown",
      hints: [expect.stringContaining("git branch")],
    });
  });

  test("of histories without a common commit is the other one, and a note says so", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.git("checkout", "-q", "--orphan", "other");
    const head = await repo.commit("alone", { "b.ts": "1\n" });
    const base = await reviewBase(git, repo.path, head, "main");
    expect(base.notes).toEqual([expect.stringContaining("no commit in common")]);
  });

  test("a moving HEAD does not mix two commits in one report (repo D8)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.commit("second", { "b.ts": "1\n" });
    const report = await withReports(repo, async (context) => {
      await repo.commit("third", { "c.ts": "1\n" });
      return reviewReport(context);
    });
    expect(report.changed_files.map(({ path }) => path)).toEqual(["b.ts"]);
  });
});

describe("the words after review", () => {
  const probes = (folders: readonly string[], revisions: readonly string[]) => ({
    isFolder: async (word: string) => folders.includes(word),
    isRevision: async (word: string) => revisions.includes(word),
  });

  test.each([
    [[], {}],
    [["/srv/repo"], { repo: "/srv/repo" }],
    [["origin/main"], { base: "origin/main" }],
    [["main", "sub"], { base: "main", repo: "sub" }],
    [["sub", "main"], { repo: "sub", base: "main" }],
    [["..", "v1"], { repo: "..", base: "v1" }],
    [["./main"], { repo: "./main" }],
    [["--output=x"], { base: "--output=x" }],
  ])("%j: %j (O53)", async (words, expected) => {
    expect(await baseAndRepo(words, probes(["sub", "--output=x"], ["main"]))).toEqual(expected);
  });

  test("a branch named like a folder is the branch, and the user is told (repo U4)", async () => {
    const found = await baseAndRepo(["docs"], probes(["docs"], ["docs"]));
    expect(found.base).toBe("docs");
    expect(found.repo).toBeUndefined();
    expect(found.notice).toContain("./docs");
  });

  test("commitOf finds nothing outside of a repository", async () => {
    await using dir = await tempDir();
    expect(await commitOf(git, dir.path, "HEAD")).toBeUndefined();
  });
});

describe("a base that is looked up before it is known what is checked out", () => {
  test("is the one that is found afterwards", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.git("checkout", "-q", "-b", "feature");
    await repo.commit("mine", { "mine.ts": "1\n" });
    await repo.git("checkout", "-q", "main");
    await repo.commit("theirs", { "theirs.ts": "1\n" });
    await repo.git("tag", "-a", "-m", "marked", "marked");
    await repo.git("checkout", "-q", "feature");
    const head = await commitOf(git, repo.path, "HEAD");
    for (const ref of [undefined, "HEAD", "HEAD~1", "@^", "main", "marked", "feature"]) {
      const base = await reviewBase(git, repo.path, head, ref);
      expect(await baseFromHead(git, repo.path, ref)).toEqual({ head: head ?? "", base });
    }
  });

  test("is left to a closer look where there is none, or no such commit", async () => {
    await using repo = await testRepository();
    expect(await baseFromHead(git, repo.path)).toBeUndefined();
    await repo.commit("first", { "a.ts": "1\n", "no...such": "" });
    expect(await baseFromHead(git, repo.path)).toBeUndefined();
    await repo.git("checkout", "-q", "--orphan", "other");
    await repo.commit("apart", { "b.ts": "1\n" });
    for (const ref of ["main", "nowhere", "no...such", "main..other", "^main"]) {
      expect(await baseFromHead(git, repo.path, ref)).toBeUndefined();
    }
  });

  test("does not count where another commit is checked out meanwhile", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.commit("second", { "b.ts": "1\n" });
    const begun = await beginRange(git, repo.path, undefined);
    expect(await begun?.committed).toEqual([{ path: "b.ts", status: "A" }]);
    const head = await repo.commit("third", { "c.ts": "1\n" });
    const range = await reviewRange(git, repo.path, head, undefined, Promise.resolve(begun));
    expect(await range.committed).toEqual([{ path: "c.ts", status: "A" }]);
  });
});
