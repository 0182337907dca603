/** A handoff says what was done, why, what is verified, and what comes next; a preflight what to know first. */
import { describe, expect, test } from "bun:test";
import { handoffReport } from "../../../../src/repo/reports/handoff.ts";
import { preflightReport } from "../../../../src/repo/reports/preflight.ts";
import { verificationRun, withReports } from "../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";

/** A branch with two commits, one of which says why, and an edit. */
async function branch(): Promise<TestRepository> {
  const repo = await testRepository();
  await repo.commit("first", {
    "go.mod": "module example.com/m\n\ngo 1.22\n",
    "cache.go": "package m\n\nfunc Cache() int { return 1 }\n",
    "cache_test.go": 'package m\n\nimport "testing"\n\nfunc TestCache(t *testing.T) { Cache() }\n',
  });
  await repo.git("checkout", "-q", "-b", "feature");
  await repo.commit(
    "Add eviction\n\nEntries never left, so memory grew.\n\nSigned-off-by: Ann <ann@example.com>",
    {
      "evict.go": "package m\n\nfunc Evict() { Cache() }\n",
    },
  );
  await repo.commit("Tune it", { "cache.go": "package m\n\nfunc Cache() int { return 2 }\n" });
  await repo.write({ "cache.go": "package m\n\nfunc Cache() int { return 3 }\n" });
  return repo;
}

const TASK = { goal: "bound the cache", scope: ["."], startedAt: "2026-12-02T12:00:00.000Z" };

describe("handoff", () => {
  test("the document has commits, reasons, what is open and what to run", async () => {
    await using repo = await branch();
    const report = await withReports(repo, (context) => handoffReport(context, { base: "main" }), {
      task: TASK,
    });
    expect(report.commits.map(({ subject }) => subject)).toEqual(["Add eviction", "Tune it"]);
    expect(report.commits[0]?.files).toEqual(["evict.go"]);
    expect(report.commits[0]?.body).toBe("Entries never left, so memory grew.");
    const { document } = report;
    for (const part of [
      "# Handoff: bound the cache",
      "Branch feature at ",
      "Entries never left, so memory grew.",
      "Add eviction (ann, 2026-09-01)",
      "## Not committed\n\n- M `cache.go`",
      "- not run `go test .`",
      "1. Run: go test .",
      "git add -- cache.go && git commit",
    ]) {
      expect(document).toContain(part);
    }
    expect(report.next_actions.at(-1)).toBe(
      `Read the change: git diff ${report.review.merge_base.slice(0, 12)}`,
    );
  });

  test("what passed on these files is verified, and not asked for again", async () => {
    await using repo = await branch();
    const passed = verificationRun({ tree_hash: "t", command: "go test ." });
    const verification = { state: { tree: "t" }, latest: [passed], standing: [passed] };
    const report = await withReports(repo, (context) => handoffReport(context, { base: "main" }), {
      verification,
    });
    expect(report.document).toContain("- passed `go test .`");
    expect(report.next_actions).not.toContain("Run: go test .");
  });

  test("what fails comes first", async () => {
    await using repo = await branch();
    const failed = verificationRun({ exit_code: 1, tree_hash: "t" });
    const verification = { state: { tree: "t" }, latest: [failed], standing: [failed] };
    const report = await withReports(repo, (context) => handoffReport(context), { verification });
    expect(report.next_actions[0]).toBe("Mend what fails: go test .");
    expect(report.document).toContain("- FAILED `go test .`");
  });

  test("with nothing done there is nothing to do", async () => {
    await using repo = await testRepository();
    const scripts = { test: "vitest run" };
    await repo.commit("first", { "a.ts": "1\n", "package.json": JSON.stringify({ scripts }) });
    const report = await withReports(repo, (context) => handoffReport(context, { base: "HEAD" }));
    expect(report.next_actions).toEqual(["Nothing is left open here."]);
    expect(report.review.verification).toEqual({ fast: [], safe: [], full: [] });
    expect(report.document).not.toContain("## Verified");
    expect(report.commits).toEqual([]);
  });

  test("paths and messages cannot break out of the document (repo X11)", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    await repo.commit("evil \u001b[31m red", { "a`b\u001b[2J\n# Heading.ts": "1\n" });
    const { document } = await withReports(repo, (context) => handoffReport(context));
    expect(document).not.toContain("\u001b");
    expect(document.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
  });
});

describe("preflight", () => {
  async function preflight(repo: TestRepository, scope: readonly string[], prefix = "") {
    return withReports(
      repo,
      (context) =>
        preflightReport(context, {
          task: "t",
          scope,
          base: {
            root: repo.path,
            prefix,
            exists: (path) => context.view.files.paths.has(path),
          },
        }),
      { task: { goal: "g", scope: ["pkg"], startedAt: "" } },
    );
  }

  test("scopes are normalised, and of folders the riskiest files are looked at", async () => {
    await using repo = await testRepository();
    const files = ["a", "b", "c", "d", "e"].map((name) => [`pkg/${name}.ts`, "1\n"]);
    await repo.commit("first", { ...Object.fromEntries(files), "top.ts": "1\n" });
    for (const n of [1, 2, 3, 4]) await repo.commit(`c${n}`, { "pkg/d.ts": `${n}\n` });
    const report = await preflight(repo, ["./pkg/", `${repo.path}/top.ts`, "pkg/../pkg"]);
    expect(report.scope_paths).toEqual(["pkg", "top.ts"]);
    expect(report.safe.map(({ path }) => path)).toEqual([
      "pkg/d.ts",
      "pkg/a.ts",
      "pkg/b.ts",
      "top.ts",
    ]);
    expect(report.risk_summary[0]).toMatch(/^pkg\/d\.ts: \w+ risk, \w+$/);
  });

  test("a scope outside the task is drift, and instructions say so", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "pkg/a.ts": "1\n", "top.ts": "1\n" });
    const inside = await preflight(repo, ["pkg/a.ts"]);
    expect(inside.task_scope.has_scope_drift).toBe(false);
    const outside = await preflight(repo, ["top.ts"]);
    expect(outside.task_scope.has_scope_drift).toBe(true);
    expect(outside.agent_instructions).toHaveLength(inside.agent_instructions.length + 1);
  });

  test("lists are capped and say how many there were", async () => {
    await using repo = await testRepository();
    const files = Array.from({ length: 20 }, (_, at) => [`f${at}.ts`, "1\n"] as const);
    await repo.commit("first", Object.fromEntries(files));
    const report = await preflight(
      repo,
      files.map(([path]) => path),
    );
    expect(report.scope_paths).toHaveLength(12);
    expect(report.notes).toEqual(["scope: the first 12 of 20 are listed"]);
  });

  test("a file that is yet to be made is named as such", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.ts": "1\n" });
    const report = await preflight(repo, ["later.ts"]);
    expect(report.risk_summary).toEqual(["later.ts: no such file yet"]);
    expect(report.files_to_inspect).toEqual(["later.ts"]);
  });
});
