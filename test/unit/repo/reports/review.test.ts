/** Reviews of real changes: what they list, warn of and leave out. */
import { describe, expect, test } from "bun:test";
import { type ReviewInput, reviewReport } from "../../../../src/repo/reports/review.ts";
import { MOST_LOOKED_AT } from "../../../../src/repo/reports/review-files.ts";
import type { ReviewReport } from "../../../../src/repo/reports/shapes.ts";
import { verificationRun, withReports } from "../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";
import { seededSamples } from "../../../support/secrets/corpus.ts";

/** Never a real one; put together so that no scanner takes this file for a leak. */
const SECRET = `ghp_${"x9Kq2LmZ7vB4nT8wR1cY5pD3sF6hJ0gAeUiO"}`;

function changed(repo: TestRepository, input?: ReviewInput): Promise<ReviewReport> {
  return withReports(repo, (context) => reviewReport(context, input));
}

const sourceOf = (n: number) => `export const value = ${n};\n`;

/** `a.ts` and `b.ts` changed together `together` times, `a.ts` alone `alone` times. */
async function coupled(together: number, alone: number): Promise<TestRepository> {
  const repo = await testRepository();
  for (let n = 0; n < together; n++) {
    await repo.commit(`both ${n}`, { "a.ts": sourceOf(n), "b.ts": sourceOf(n) });
  }
  for (let n = 0; n < alone; n++) await repo.commit(`one ${n}`, { "a.ts": sourceOf(100 + n) });
  return repo;
}

describe("a review", () => {
  test("tells where each change is, and follows renames", async () => {
    await using repo = await testRepository();
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
    await repo.commit("first", { "old.ts": text, "gone.ts": "1\n", "edit.ts": "1\n" });
    await repo.git("mv", "old.ts", "new.ts");
    await repo.commit("second", { "gone.ts": null, "edit.ts": "2\n" });
    await repo.write({ "edit.ts": "3\n", "fresh.ts": "1\n", ".gitignore": "out/\n" });
    await repo.write({ "out/built.ts": "1\n" });
    const { changed_files } = await changed(repo);
    const found = changed_files.map(({ path, status, change_source, old_path = "" }) =>
      [path, status, change_source, old_path].join(" ").trim(),
    );
    expect(found.sort()).toEqual([
      ".gitignore A untracked",
      "edit.ts M committed+working_tree",
      "fresh.ts A untracked",
      "gone.ts D committed",
      "new.ts R committed old.ts",
    ]);
  });

  test("a file that was committed under one name and renamed since is one file", async () => {
    await using repo = await testRepository();
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.commit("second", { "draft.ts": text });
    await repo.git("mv", "draft.ts", "final.ts");
    const { changed_files } = await changed(repo);
    expect(changed_files.map(({ path, old_path }) => [path, old_path])).toEqual([
      ["final.ts", "draft.ts"],
    ]);
  });

  test("with --staged looks at the index only", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n", "b.ts": "1\n" });
    await repo.commit("second", { "b.ts": "2\n" });
    await repo.write({ "a.ts": "2\n", "b.ts": "3\n", "c.ts": `"${SECRET}"\n` });
    await repo.git("add", "a.ts");
    await repo.write({ "a.ts": `const token = "${SECRET}";\n` });
    const report = await changed(repo, { staged: true });
    expect(report.changed_files.map(({ path, change_source }) => [path, change_source])).toEqual([
      ["a.ts", "staged"],
    ]);
    expect(report.secrets).toEqual([]);
  });

  test("of nothing warns of nothing", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.write({ "a.ts": "2\n" });
    const { summary, action_guidance } = await changed(repo, { staged: true });
    expect(summary).toBe("Nothing is staged.");
    expect(action_guidance.stop_signals).toEqual([]);
  });

  test("counts what usually changes too in words that fit the number", async () => {
    await using repo = await testRepository();
    for (const at of [1, 2, 3, 4, 5, 6]) {
      const text = `${at}\n`;
      await repo.commit(`c${at}`, { "a.ts": text, "b.ts": text, "c.ts": text });
    }
    await repo.write({ "a.ts": "new\n" });
    expect((await changed(repo, { base: "HEAD" })).summary).toContain(
      "2 files that usually change too did not",
    );
  });

  test("is the same twice, in every list (repo C10)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "z.ts": "1\n" });
    const names = ["m.ts", "b.ts", "x.ts", "auth/a.ts", "config.yaml", "db/q.sql"];
    await repo.commit("second", Object.fromEntries(names.map((name) => [name, "1\n"])));
    await repo.write({ "y.ts": "1\n", "c.ts": "1\n" });
    const task = { goal: "g", scope: ["m.ts"], startedAt: "" };
    const review = () => withReports(repo, (context) => reviewReport(context), { task });
    const [one, two] = [await review(), await review()];
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
    expect(one.task.out_of_scope_changed).toEqual([...one.task.out_of_scope_changed].sort());
  });

  test("names a file that nearly always changes too and did not, with numbers", async () => {
    await using repo = await coupled(9, 1);
    const report = await changed(repo);
    expect(report.missing_partners).toEqual([
      { path: "b.ts", changed: "a.ts", together: 9, of: 10 },
    ]);
    expect(report.notes).toContain("a.ts changed, b.ts did not: together in 9 of 10 commits.");
    expect(report.action_guidance.inspect_first[0]).toBe("b.ts");
  });

  test("names none where the two part often, or were seen together seldom", async () => {
    await using often = await coupled(9, 8);
    expect((await changed(often)).missing_partners).toEqual([]);
    await using seldom = await coupled(3, 1);
    expect((await changed(seldom)).missing_partners).toEqual([]);
  });

  test("names no source that a test changed without, nor what a document changed without", async () => {
    await using repo = await testRepository();
    for (let n = 0; n < 9; n++) {
      const files = { "a.ts": sourceOf(n), "a.test.ts": `${sourceOf(n)}test('', () => {});\n` };
      await repo.commit(`both ${n}`, { ...files, "GUIDE.md": `${n}\n` });
    }
    await repo.commit("test alone", { "a.test.ts": "test('', () => {});\n", "GUIDE.md": "x\n" });
    expect((await changed(repo)).missing_partners).toEqual([]);
    await repo.commit("source alone", { "a.ts": sourceOf(99) });
    const missing = (await changed(repo)).missing_partners.map(({ path }) => path);
    expect(missing).toEqual(["GUIDE.md", "a.test.ts"]);
  });

  test("names none that is in the working tree already", async () => {
    await using repo = await coupled(9, 1);
    await repo.write({ "b.ts": sourceOf(500) });
    expect((await changed(repo)).missing_partners).toEqual([]);
  });

  test("needs_tests is a source without a test, found or changed (repo C14)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "README.md": "1\n" });
    await repo.commit("second", {
      "src/lonely.ts": "export const lonely = 1;\n",
      "src/covered.ts": "export const covered = 1;\n",
      "src/covered.test.ts": "import { covered } from './covered';\ntest('', () => covered);\n",
      "src/types.d.ts": "export type A = 1;\n",
      "notes.md": "1\n",
    });
    const report = await changed(repo);
    expect(report.untested).toEqual(["src/lonely.ts"]);
    const needing = report.changed_files.filter(({ needs_tests }) => needs_tests);
    expect(needing.map(({ path }) => path)).toEqual(["src/lonely.ts"]);
  });

  test("finds secrets that were committed, edited in, and in new files, and shows none", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n", "b.ts": "1\n" });
    await repo.commit("second", { "a.ts": `1\nconst token = "${SECRET}";\n` });
    await repo.write({ "b.ts": `const token = "${SECRET}";\n`, "c.ts": `"${SECRET}"\n` });
    const report = await changed(repo);
    expect(report.secrets.map(({ file, line }) => `${file}:${line}`)).toEqual([
      "a.ts:2",
      "b.ts:1",
      "c.ts:1",
    ]);
    expect(report.action_guidance.stop_signals[0]).toContain("3 possible secrets");
    expect(JSON.stringify(report)).not.toContain(SECRET);
  });

  test("a key that takes the place of another is found, though its first line stays", async () => {
    const keys = [1, 2].map(
      (seed) => seededSamples(seed).find(({ kind }) => kind === "private key: RSA")?.text ?? "",
    );
    await using repo = await testRepository();
    await repo.commit("first", { "a.pem": `${keys[0]}\n` });
    await repo.commit("second", { "a.pem": `${keys[1]}\n` });
    expect((await changed(repo)).secrets).toEqual([
      { rule: "private-key", file: "a.pem", line: 2 },
    ]);
  });

  test("a secret that only the base has is none of the change", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": `const token = "${SECRET}";\n` });
    await repo.commit("second", { "a.ts": "const token = env;\n" });
    expect((await changed(repo)).secrets).toEqual([]);
  });

  test("says that tests were deleted, and that conflicts are left", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.test.ts": "test('', () => {});\n", "x.ts": "1\n" });
    await repo.git("checkout", "-q", "-b", "other");
    await repo.commit("other", { "x.ts": "2\n" });
    await repo.git("checkout", "-q", "main");
    await repo.commit("second", { "a.test.ts": null, "x.ts": "3\n" });
    await repo.git("merge", "other").catch(() => "");
    const { notes } = await changed(repo);
    expect(notes).toContain("Tests were deleted: a.test.ts.");
    expect(notes).toContain("Conflicts of a merge are left in: x.ts.");
  });

  test("of a change of very many files looks at the most important ones, and says so", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "README.md": "1\n" });
    const many = Array.from({ length: 120 }, (_, at) => [`src/f${at}.ts`, "1\n"] as const);
    await repo.commit("second", { ...Object.fromEntries(many), "src/auth/login.ts": "1\n" });
    const report = await changed(repo);
    expect(report.changed_files).toHaveLength(121);
    expect(report.changed_files[0]?.path).toBe("src/auth/login.ts");
    expect(report.notes.join(" ")).toContain(`Only the ${MOST_LOOKED_AT} most important of 121`);
  });

  test("documents and lock files are not what is risky about a change", async () => {
    await using repo = await testRepository();
    for (let n = 0; n < 12; n++) {
      await repo.commit(`fix ${n}`, { "GUIDE.md": `${"x\n".repeat(n + 90)}`, "a.lock": `${n}\n` });
    }
    await repo.commit("last", { "GUIDE.md": "1\n", "a.lock": "1\n", "b.ts": "1\n" });
    const report = await changed(repo);
    expect(report.changed_files[0]?.path).toBe("b.ts");
    expect(report.action_guidance.must_review).toBe(false);
    expect(report.changed_files.some(({ needs_review }) => needs_review)).toBe(false);
  });

  test("only recommends commands that name real files (repo C11)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a b.txt": "1\n" });
    await repo.commit("second", { "it's; rm -rf.dat": "1\n" });
    const { action_guidance } = await changed(repo);
    expect(action_guidance.recommended_next_command).toBe(
      String.raw`pallium explain 'it'\''s; rm -rf.dat'`,
    );
    await using quiet = await testRepository();
    await quiet.commit("first", { "a.ts": "1\n" });
    await quiet.commit("second");
    expect((await changed(quiet)).action_guidance.run_next).toEqual([]);
  });

  test("of a file that is gone says so, and plans nothing for it", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "pkg/gone.py": "1\n", "kept.py": "import pkg.gone\n" });
    await repo.commit("second", { "pkg/gone.py": null });
    const [file] = (await changed(repo)).changed_files;
    expect(file).toMatchObject({ status: "D", risk_level: "unknown", needs_tests: false });
  });
});

describe("verification on record, in a review (repo C17)", () => {
  const state = { head: "h", tree: "t" };
  const failed = verificationRun({ id: 1, exit_code: 1, tree_hash: "t", head: "h" });
  const elsewhere = verificationRun({ id: 2, tree_hash: "other", command: "go test ./b" });

  async function review(verification: {
    latest: readonly (typeof failed)[];
    standing: readonly (typeof failed)[];
  }) {
    await using repo = await testRepository();
    await repo.commit("first", { "a.go": "package a\n" });
    return await withReports(repo, (context) => reviewReport(context), {
      verification: { state, ...verification },
    });
  }

  test("a pass of other files is stale, and hides no failure of these", async () => {
    const report = await review({ latest: [elsewhere, failed], standing: [failed] });
    expect(report.verification_history.map(({ is_stale }) => is_stale)).toEqual([true, false]);
    expect(report.action_guidance.stop_signals[0]).toContain("Most recent verification failed");
  });

  test("a failure of these files is listed however many runs are newer", async () => {
    const newer = Array.from({ length: 9 }, (_, at) => ({ ...elsewhere, id: 10 + at }));
    const report = await review({ latest: newer, standing: [failed] });
    expect(report.verification_history.map(({ id }) => id)).toEqual([10, 11, 12, 13, 14, 1]);
  });

  test("a failure of other files is no failure once these have passed", async () => {
    const passed = verificationRun({ id: 3, tree_hash: "t" });
    const old = { ...failed, tree_hash: "other" };
    const report = await review({ latest: [passed, old], standing: [passed] });
    expect(JSON.stringify(report)).not.toContain("Most recent verification failed");
  });

  test("a failure of other files says that it is one", async () => {
    const report = await review({ latest: [{ ...failed, tree_hash: "other" }], standing: [] });
    expect(report.notes[0]).toContain("on an earlier state of the files");
  });
});
