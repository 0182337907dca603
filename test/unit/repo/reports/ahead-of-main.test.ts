import { expect, test } from "bun:test";
import { mainBranches } from "../../../../src/repo/reports/ahead-of-main.ts";
import { changedNow } from "../../../../src/repo/reports/changed-now.ts";
import type { ReportContext } from "../../../../src/repo/reports/context.ts";
import { handoffReport } from "../../../../src/repo/reports/handoff.ts";
import { reviewReport } from "../../../../src/repo/reports/review.ts";
import { withReports } from "../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";

async function branchOf(commits: number, main = "main"): Promise<TestRepository> {
  const repo = await testRepository();
  await repo.git("checkout", "-q", "-B", main);
  await repo.commit("first", { "a.ts": "export const a = 0;\n" });
  await repo.git("checkout", "-q", "-b", "feature");
  for (let at = 1; at <= commits; at++) {
    await repo.commit(`edit ${at}`, { [`b${at}.ts`]: `export const b = ${at};\n` });
  }
  return repo;
}

const notesOf = async (context: ReportContext, base?: string) =>
  (await reviewReport(context, base === undefined ? {} : { base })).notes;

const ahead = (commits: number, main: string, command = "review") =>
  `The last of ${commits} commits ahead of ${main}; see all: pallium ${command} ${main}`;

test("a review of the last commit says how many came before it on the branch", async () => {
  await using repo = await branchOf(3);
  await withReports(repo, async (context) => {
    expect(await notesOf(context)).toEqual([ahead(3, "main")]);
    expect(await notesOf(context, "HEAD~1")).toEqual([ahead(3, "main")]);
    expect(await notesOf(context, "main")).toEqual([]);
    expect((await reviewReport(context, { staged: true })).notes).toEqual([]);
  });
});

test("nothing is said of a branch of one commit, or of the main branch", async () => {
  await using repo = await branchOf(1);
  await withReports(repo, async (context) => expect(await notesOf(context)).toEqual([]));
  await repo.git("checkout", "-q", "main");
  await repo.commit("second", { "a.ts": "export const a = 1;\n" });
  await repo.commit("third", { "a.ts": "export const a = 2;\n" });
  await withReports(repo, async (context) => expect(await notesOf(context)).toEqual([]));
});

test("nothing is said where the last commit brings in all that the main branch lacks", async () => {
  await using repo = await branchOf(3);
  await repo.git("checkout", "-q", "-b", "release", "main");
  await repo.git("merge", "-q", "--no-ff", "--no-edit", "feature");
  await withReports(repo, async (context) => expect(await notesOf(context)).toEqual([]));
});

test("the main branch is the one that the remote says, and the nearer of the two", async () => {
  await using repo = await branchOf(3, "dev");
  await repo.git("update-ref", "refs/remotes/origin/dev", "feature~2");
  await repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/dev");
  await withReports(repo, async (context) => {
    expect(await notesOf(context)).toEqual([ahead(2, "origin/dev")]);
  });
});

test("of two at the same commit the local one is named", async () => {
  await using repo = await branchOf(2);
  await repo.git("update-ref", "refs/remotes/origin/main", "main");
  await withReports(repo, async (context) => {
    expect(await mainBranches(context)).toHaveLength(1);
    expect(await notesOf(context)).toEqual([ahead(2, "main")]);
  });
});

test("what is not pushed of the main branch is ahead of that of the remote", async () => {
  await using repo = await branchOf(0);
  await repo.git("checkout", "-q", "main");
  await repo.git("update-ref", "refs/remotes/origin/main", "main");
  for (const n of [1, 2]) await repo.commit(`edit ${n}`, { "a.ts": `export const a = ${n};\n` });
  await withReports(repo, async (context) => {
    expect(await notesOf(context)).toEqual([ahead(2, "origin/main")]);
  });
});

test("a handoff says it too, with its own command", async () => {
  await using repo = await branchOf(2);
  await withReports(repo, async (context) => {
    const { document } = await handoffReport(context);
    expect(document).toContain(ahead(2, "main", "handoff"));
  });
});

test("changed-now says it where nothing is left uncommitted", async () => {
  await using repo = await branchOf(2);
  await withReports(repo, async (context) => {
    expect((await changedNow(context)).summary).toBe(
      "No file changed: the working tree is as it was committed. It is 2 commits ahead of main: pallium review main",
    );
  });
});

test("changed-now says nothing of a branch of one commit, or of one that main has", async () => {
  await using repo = await branchOf(1);
  const summary = "No file changed: the working tree is as it was committed.";
  await withReports(repo, async (context) => {
    expect((await changedNow(context)).summary).toBe(summary);
  });
  await repo.git("checkout", "-q", "-B", "main", "feature");
  await repo.commit("second");
  await repo.git("checkout", "-q", "feature");
  await withReports(repo, async (context) => {
    expect((await changedNow(context)).summary).toBe(summary);
  });
});
