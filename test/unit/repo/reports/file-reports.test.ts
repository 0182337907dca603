/** explain, safe, plan, changed-now and their freshness. */
import { describe, expect, test } from "bun:test";
import { changedNowReport } from "../../../../src/repo/reports/changed-now.ts";
import { explainReport } from "../../../../src/repo/reports/explain.ts";
import { freshnessOf } from "../../../../src/repo/reports/freshness.ts";
import { planReport } from "../../../../src/repo/reports/plan.ts";
import { safeReport } from "../../../../src/repo/reports/safe.ts";
import { withReports } from "../../../support/reports.ts";
import { testRepository } from "../../../support/repository.ts";

describe("freshness", () => {
  const HASH = "a".repeat(40);
  const index = { head: HASH, branch: "main", indexed_at: "2020-01-01T00:00:00.000Z" };

  test("an index of the checked-out commit is fresh, however old (repo C19)", () => {
    const fresh = freshnessOf(index, { branch: "other", commit: HASH }, 0);
    expect(fresh.is_stale).toBe(false);
    expect(fresh.reasons).toEqual(["The index is of the commit that is checked out."]);
  });

  test("one of another commit is stale, and says what to run", () => {
    const stale = freshnessOf(index, { branch: "main", commit: "b".repeat(40) }, 2);
    expect(stale.is_stale).toBe(true);
    expect(stale.reasons).toEqual([
      "The index is of commit aaaaaaaa, checked out is bbbbbbbb: run `pallium index`.",
      "2 files changed and not committed.",
    ]);
  });

  test("none is missing and stale", () => {
    const missing = freshnessOf(undefined, { branch: "main", commit: HASH }, 0);
    expect(missing).toMatchObject({ index_status: "missing", is_stale: true, indexed_at: "" });
  });
});

describe("explain", () => {
  test("of a new file claims no history (repo C5)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.write({ "new/fresh.ts": "export const x = 1;\n" });
    const report = await withReports(repo, (context) => explainReport(context, "new/fresh.ts"));
    expect(report.evidence.sources).toEqual(["working-tree"]);
    expect(report.confidence.level).toBe("low");
    expect(report.recent_commits).toEqual([]);
    expect(report.summary).toContain("No commit has touched it yet");
  });

  test("of a renamed file tells its history while the rename is not committed", async () => {
    await using repo = await testRepository();
    const text = "export const a = 1;\n".repeat(9);
    await repo.commit("add it", { "a.ts": text, "use.ts": "export {};\n" });
    await repo.commit("fix it\n\nBecause it must never fail.", { "a.ts": `${text}//\n` });
    const explain = (path: string) => withReports(repo, (context) => explainReport(context, path));
    const before = await explain("a.ts");
    await repo.git("mv", "a.ts", "b.ts");
    const after = await explain("b.ts");
    expect(before.recent_commits).toHaveLength(2);
    expect(before.decisions).toHaveLength(1);
    expect(after.recent_commits).toEqual(before.recent_commits);
    expect(after.decisions).toEqual(before.decisions);
    expect(after.risk).toEqual({ ...before.risk, path: "b.ts" });
  });

  test("decisions give reasons; they are not the recent commits again (repo C22)", async () => {
    await using repo = await testRepository();
    await repo.commit("add cache", { "a.ts": "1\n" });
    const why = await repo.commit(
      "Drop the cache\n\nWe decided against it because two writers corrupted the file.",
      { "a.ts": "2\n" },
    );
    await repo.commit("bump version", { "a.ts": "3\n" });
    const report = await withReports(repo, (context) => explainReport(context, "a.ts"));
    expect(report.recent_commits.map(({ subject }) => subject)).toEqual([
      "bump version",
      "Drop the cache",
      "add cache",
    ]);
    expect(report.decisions.map(({ source_ref }) => source_ref)).toEqual([why]);
  });

  test("commits of one second keep their order (repo C23)", async () => {
    await using repo = await testRepository();
    for (const n of [1, 2, 3, 4]) await repo.commit(`c${n}`, { "a.ts": `${n}\n` }, { at: 1e9 });
    const explain = () => withReports(repo, (context) => explainReport(context, "a.ts"));
    const { recent_commits } = await explain();
    expect(recent_commits.map(({ subject }) => subject)).toEqual(["c4", "c3", "c2", "c1"]);
    expect(JSON.stringify((await explain()).recent_commits)).toBe(JSON.stringify(recent_commits));
  });

  test("names what uses the file and what it uses, all of them counted", async () => {
    await using repo = await testRepository();
    const users = Array.from({ length: 25 }, (_, at) => [
      `src/u${String(at).padStart(2, "0")}.ts`,
      "import { a } from './a';\nexport const u = a;\n",
    ]);
    await repo.commit("first", {
      "src/a.ts": "import { b } from './b';\nexport const a = b;\n",
      "src/b.ts": "export const b = 1;\n",
      ...Object.fromEntries(users),
    });
    const report = await withReports(repo, (context) => explainReport(context, "src/a.ts"));
    expect(report.uses).toEqual([{ path: "src/b.ts", kind: "import" }]);
    expect(report.used_by).toHaveLength(20);
    expect(report.used_by_count).toBe(25);
    expect(report.action_guidance.stop_signals).toContain("25 files use it.");
  });

  test.each([".github/workflows/ci.yml", "Cargo.toml", "README.md"])(
    "asks for no test of %s, nor stops for the lack of one",
    async (path) => {
      await using repo = await testRepository();
      await repo.commit("first", { [path]: "a\n", "src/lib.rs": "fn a() {}\n" });
      const { edit_checklist, action_guidance } = await withReports(repo, (context) =>
        explainReport(context, path),
      );
      expect(edit_checklist.join()).not.toContain("No test");
      expect(action_guidance.stop_signals.join()).not.toContain("No fast verification");
      const { required_checks } = await withReports(repo, (context) => safeReport(context, path));
      expect(required_checks.join()).not.toContain("No test");
    },
  );

  test("deleted files are neither neighbours nor reach (repo C8)", async () => {
    await using repo = await testRepository();
    for (const n of [1, 2, 3]) {
      await repo.commit(`c${n}`, { "a.ts": `${n}\n`, "gone.ts": `${n}\n`, "b.ts": `${n}\n` });
    }
    await repo.commit("remove", { "gone.ts": null });
    const report = await withReports(repo, (context) => explainReport(context, "a.ts"));
    expect(report.blast_radius).toEqual(["b.ts"]);
    expect(JSON.stringify(report.neighbors)).not.toContain("gone.ts");
  });

  test("of a file that is gone says so", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n", "b.ts": "1\n" });
    await repo.commit("remove", { "a.ts": null });
    const report = await withReports(repo, (context) => explainReport(context, "a.ts"));
    expect(report.summary).toBe("The file is no longer there; 2 commits touched it.");
    expect(report.risk.level).toBe("unknown");
  });

  test("of what nobody has heard of fails with a next step (repo U2)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    const explain = withReports(repo, (context) => explainReport(context, "no.ts"));
    await expect(explain).rejects.toMatchObject({
      code: "path_unknown",
      hints: [expect.stringContaining("paths count from")],
    });
  });
});

describe("safe and plan", () => {
  test("a quiet file with a test is safe, and its steps are commands that exist", async () => {
    await using repo = await testRepository();
    await repo.commit("first", {
      "package.json": '{"scripts":{"test":"vitest"},"devDependencies":{"vitest":"1"}}',
      "src/a.ts": "export const a = 1;\n",
      "src/a.test.ts": "import { a } from './a';\ntest('', () => a);\n",
    });
    const [safe, plan] = await withReports(
      repo,
      (context) => [safeReport(context, "src/a.ts"), planReport(context, "src/a.ts")] as const,
    );
    expect(safe.verdict).toBe("safe_with_normal_review");
    expect(safe.action_guidance.safe_to_edit_alone).toBe(true);
    expect(safe.required_checks).toEqual([
      "Read: pallium explain src/a.ts",
      "Look at: src/a.test.ts",
      "Run after the edit: pallium verify fast",
    ]);
    expect(plan.steps).toHaveLength(5);
    expect(plan.steps[0]).toContain("pallium explain src/a.ts");
    expect(plan.files_to_inspect).toEqual(["src/a.ts", "src/a.test.ts"]);
  });

  test("a document needs neither tests nor a careful review, however busy", async () => {
    await using repo = await testRepository();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      await repo.commit(`fix ${n}`, { "README.md": `${n}\n`.repeat(n * 20), "a.ts": "1\n" });
    }
    const report = await withReports(repo, (context) => safeReport(context, "README.md"));
    expect(report.verdict).toBe("safe_with_normal_review");
    expect(report.required_checks.join(" ")).not.toContain("No test was found");
    expect(report.action_guidance).toMatchObject({ must_verify: false, stop_signals: [] });
  });

  test("a file is looked at once in all reports of a command", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await withReports(repo, ({ factsOf }) => expect(factsOf("a.ts")).toBe(factsOf("a.ts")));
  });

  test("a name that begins with a dash is no option of the command", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "-x.dat": "1\n" });
    const { required_checks } = await withReports(repo, (context) => safeReport(context, "-x.dat"));
    expect(required_checks[0]).toBe("Read: pallium explain -- -x.dat");
  });
});

describe("changed-now", () => {
  test("lists files by path, each with its status, and the drift of the task", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "b.ts": "1\n", "a.ts": "1\n", "c.ts": "1\n" });
    await repo.write({
      "b.ts": "2\n",
      "a.ts": "2\n",
      "new.ts": "1\n",
      "Anew.ts": "1\n",
      "c.ts": null,
    });
    await repo.git("add", "a.ts");
    await repo.write({ "a.ts": "3\n" });
    const task = { goal: "g", scope: ["a.ts"], startedAt: "" };
    const report = await withReports(repo, changedNowReport, { task });
    expect(report.files.map(({ path, working_tree_status: s }) => `${path} ${s}`)).toEqual([
      "Anew.ts ??",
      "a.ts MM",
      "b.ts M",
      "c.ts D",
      "new.ts ??",
    ]);
    expect(report.summary).toBe("5 files changed and not committed; 4 files outside the task.");
    expect(report.task.out_of_scope_changed).toEqual(["Anew.ts", "b.ts", "c.ts", "new.ts"]);
  });

  test("of a clean tree says so", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    const report = await withReports(repo, changedNowReport);
    expect(report.files).toEqual([]);
    expect(report.evidence.sources).toEqual([]);
    expect(report.recommended_next_command).toBeUndefined();
  });
});
