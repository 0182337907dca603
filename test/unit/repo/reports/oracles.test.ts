/** Oracles O23 to O49 of the Go program's own tests, on its fixture, through the report builders. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { relatedFiles } from "../../../../src/repo/analysis/related.ts";
import { riskOf } from "../../../../src/repo/analysis/risk.ts";
import type { StructuralLink } from "../../../../src/repo/analysis/structural-links.ts";
import { changedNowReport } from "../../../../src/repo/reports/changed-now.ts";
import type { ReportContext } from "../../../../src/repo/reports/context.ts";
import { explainReport } from "../../../../src/repo/reports/explain.ts";
import { freshnessOf } from "../../../../src/repo/reports/freshness.ts";
import { handoffReport } from "../../../../src/repo/reports/handoff.ts";
import { planReport } from "../../../../src/repo/reports/plan.ts";
import { preflightReport } from "../../../../src/repo/reports/preflight.ts";
import { reviewReport } from "../../../../src/repo/reports/review.ts";
import { safeReport } from "../../../../src/repo/reports/safe.ts";
import { fixtureF } from "../../../support/fixture-f.ts";
import { type ReportOptions, verificationRun, withReports } from "../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../support/repository.ts";

let shared: TestRepository;
beforeAll(async () => {
  shared = await fixtureF();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** On the fixture as it was committed. */
function onF<T>(work: (context: ReportContext) => T | Promise<T>): Promise<T> {
  return withReports(shared, work);
}

/** On a fixture of the test's own, edited. */
async function onEdited<T>(
  files: Readonly<Record<string, string>>,
  work: (context: ReportContext) => T | Promise<T>,
  options: ReportOptions & { readonly also?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const { also, ...parts } = options;
  await using repo = await fixtureF(also === undefined ? {} : { also });
  await repo.write(files);
  return await withReports(repo, work, parts);
}

const MAIN_EDITED = { "main.go": "package main\n\nfunc main() { println(helper(), 3) }\n" };

function kinds(links: readonly StructuralLink[]): Record<string, string> {
  return Object.fromEntries(links.map(({ path, kind }) => [path, kind]));
}

function linksOf(path: string): Promise<Record<string, string>> {
  return onF((context) => kinds(context.factsOf(path).links));
}

describe("one file", () => {
  test("O23: main.go has neighbours", async () => {
    expect(await onF(({ view }) => relatedFiles(view, "main.go", 10).length)).toBeGreaterThan(0);
  });

  test("O24: the risk of main.go says who, when and why", async () => {
    const risk = await onF(({ view }) => riskOf(view, "main.go"));
    expect(risk?.score).toBeGreaterThan(0);
    expect(risk?.author_count).toBeGreaterThanOrEqual(2);
    expect(risk?.last_touched_at).toEndWith("Z");
    expect(risk?.reasons).not.toBeEmpty();
  });

  test("O25: explain leaves nothing of main.go empty", async () => {
    const report = await onF((context) => explainReport(context, "main.go"));
    expect(report.recent_commits).not.toBeEmpty();
    expect(report.summary).not.toBe("");
    expect(report.edit_checklist).not.toBeEmpty();
    expect(report.suggested_tests).not.toBeEmpty();
    expect(report.blast_radius).not.toBeEmpty();
    expect(report.structural_links).not.toBeEmpty();
    expect(report.test_commands).not.toBeEmpty();
    expect(report.verification.fast).not.toBeEmpty();
    expect(report.confidence.level).not.toBe("");
    expect(report.action_guidance.recommended_next_command).not.toBe("");
    expect(report.action_guidance.must_verify).toBe(true);
    expect(report.freshness.indexed_at).not.toBe("");
    expect(report.evidence.sources).not.toBeEmpty();
  });

  test("O26: Go links by name and by import", async () => {
    expect(await linksOf("main.go")).toMatchObject({ "helper.go": "go-symbol" });
    expect(await linksOf("cli/app.go")).toMatchObject({
      "internalpkg/helper/helper.go": "go-import",
    });
  });

  test("O27, O28 (repo L2): TypeScript links, through aliases, those of a child in place of its parent's", async () => {
    expect(await linksOf("web/app.ts")).toMatchObject({ "web/session.ts": "js-import" });
    expect(await linksOf("web/alias_app.ts")).toMatchObject({ "web/session.ts": "js-import" });
    const feature = await linksOf("packages/app/src/feature.ts");
    expect(feature).toMatchObject({ "packages/app/src/util.ts": "js-import" });
    expect(Object.keys(feature)).not.toContain("web/session.ts");
  });

  test("O29: Python links, in a package and in a src layout", async () => {
    expect(await linksOf("pkg/app.py")).toMatchObject({ "pkg/helper.py": "py-import" });
    expect(await linksOf("src/pkgsrc/app.py")).toMatchObject({
      "src/pkgsrc/helper.py": "py-import",
    });
  });

  test("O30: test commands of main.go begin with its package, then the module", async () => {
    const { test_commands } = await onF((context) => explainReport(context, "main.go"));
    expect(test_commands.slice(0, 2)).toEqual(["go test .", "go test ./..."]);
  });

  test("O31: new files have a risk and commands", async () => {
    const files = {
      "feature.go": "package main\n\nfunc feature() string { return helper() }\n",
      "feature_test.go":
        'package main\n\nimport "testing"\n\nfunc TestFeature(t *testing.T) { feature() }\n',
    };
    const report = await onEdited(files, (context) => explainReport(context, "feature.go"));
    expect(report.risk.level).not.toBe("unknown");
    expect(report.risk.reasons).not.toBeEmpty();
    expect(report.test_commands.length).toBeGreaterThanOrEqual(2);
    expect(report.test_commands[0]).toBe("go test .");
  });

  test("O32: plan of pkg/app.py", async () => {
    const { verification } = await onF((context) => planReport(context, "pkg/app.py"));
    expect(verification.fast[0]).toBe("pytest pkg/test_app.py");
    expect(verification.safe).toEqual(expect.arrayContaining(["pytest pkg", "pytest"]));
    expect(verification.full).toEqual(expect.arrayContaining(["pytest", "ruff check .", "mypy ."]));
  });

  test("O33: plan of web/app.ts", async () => {
    const { verification } = await onF((context) => planReport(context, "web/app.ts"));
    expect(verification.fast[0]).toContain("web/session.test.ts");
    expect(verification.safe[0]).toBe("npm run test:unit");
    expect(verification.full).toContain("npm run typecheck");
  });

  test("O34: make targets are in the full plan of web/app.ts", async () => {
    const also = { Makefile: "test:\n\ttrue\nlint:\n\ttrue\nbuild:\n\ttrue\n" };
    const plan = (context: ReportContext) => planReport(context, "web/app.ts");
    const { verification } = await onEdited({}, plan, { also });
    expect(verification.full).toEqual(
      expect.arrayContaining(["make test", "make lint", "make build"]),
    );
  });

  test("O35: tox and make targets are in the full plan of pkg/app.py", async () => {
    const also = {
      "tox.ini": "[tox]\nenvlist = py312\n",
      Makefile: "test:\n\ttrue\ncheck:\n\ttrue\n",
    };
    const plan = (context: ReportContext) => planReport(context, "pkg/app.py");
    const { verification } = await onEdited({}, plan, { also });
    expect(verification.full).toEqual(expect.arrayContaining(["tox", "make test", "make check"]));
  });

  test("O37: safe and plan of main.go leave nothing empty", async () => {
    const [safe, plan] = await onF(
      (context) => [safeReport(context, "main.go"), planReport(context, "main.go")] as const,
    );
    expect(safe.verdict).toMatch(/^(safe_with_normal_review|review_neighbors_first)$/);
    for (const list of [safe.required_checks, safe.suggested_tests, safe.test_commands]) {
      expect(list).not.toBeEmpty();
    }
    expect(safe.verification.fast).not.toBeEmpty();
    expect(safe.action_guidance.run_next).not.toBeEmpty();
    for (const list of [plan.steps, plan.files_to_inspect, plan.action_guidance.inspect_first]) {
      expect(list).not.toBeEmpty();
    }
    for (const { action_guidance } of [safe, plan]) {
      expect(action_guidance.recommended_next_command).not.toBe("");
      expect(action_guidance.must_verify).toBe(true);
    }
  });

  test("O45: an index of an older commit is stale", async () => {
    const { freshness } = await onF((context) => explainReport(context, "main.go"));
    expect(freshness.is_stale).toBe(false);
    const older = { head: "0".repeat(40), branch: "main", indexed_at: freshness.indexed_at };
    const head = { branch: "main", commit: freshness.current_commit };
    expect(freshnessOf(older, head, 0).is_stale).toBe(true);
  });
});

describe("a change", () => {
  test("O38: review of the last commit", async () => {
    const report = await onF((context) => reviewReport(context, { base: "HEAD~1" }));
    expect(report.changed_files).toHaveLength(10);
    expect(report.required_tests).not.toBeEmpty();
    expect(report.test_commands).not.toBeEmpty();
    expect(report.verification.fast).not.toBeEmpty();
    expect(report.action_guidance.recommended_next_command).not.toBe("");
    expect(report.action_guidance.must_verify).toBe(true);
    const linksFound = report.confidence.reasons.some((one) => one.includes("Structural links"));
    const linksMissing = report.action_guidance.confidence_gaps.includes(
      "No structural links were found.",
    );
    expect(linksFound).not.toBe(linksMissing);
    const [first] = report.changed_files;
    expect(first?.boundary_labels !== undefined || first?.risk_level !== "low").toBe(true);
  });

  test("O39: config.yaml is among the first three and needs a review", async () => {
    const { changed_files } = await onF((context) => reviewReport(context));
    const config = changed_files.slice(0, 3).find(({ path }) => path === "config.yaml");
    expect(config?.boundary_labels).toEqual(["config"]);
    expect(config?.needs_review).toBe(true);
  });

  test("O40: an edit that was not committed is in the review", async () => {
    const { changed_files } = await onEdited(MAIN_EDITED, (context) => reviewReport(context));
    expect(changed_files.find(({ path }) => path === "main.go")?.change_source).toBe(
      "committed+working_tree",
    );
  });

  test("O41: new files are in the review with their tests", async () => {
    const files = {
      "cmd/newtool.go": "package cmd\n\nfunc NewTool() int { return 1 }\n",
      "cmd/newtool_test.go":
        'package cmd\n\nimport "testing"\n\nfunc TestNewTool(t *testing.T) { NewTool() }\n',
    };
    const report = await onEdited(files, (context) => reviewReport(context));
    expect(report.verification.fast.join("\n")).toContain("./cmd");
    const tool = report.changed_files.find(({ path }) => path === "cmd/newtool.go");
    expect(tool?.change_source).toBe("untracked");
    expect(tool?.suggested_tests).toContain("cmd/newtool_test.go");
  });

  test("O42: changes outside the task are drift, and come first", async () => {
    const task = { goal: "g", scope: ["main.go"], startedAt: "2026-12-02T12:00:00.000Z" };
    const files = { ...MAIN_EDITED, "config.yaml": "name: three\n" };
    const report = await onEdited(files, (context) => reviewReport(context), { task });
    expect(report.task.has_scope_drift).toBe(true);
    expect(report.task.out_of_scope_changed).toContain("config.yaml");
    expect(report.action_guidance.must_review).toBe(true);
    expect(report.action_guidance.stop_signals).not.toBeEmpty();
    expect(report.changed_files.length).toBeGreaterThanOrEqual(3);
    expect(report.changed_files.slice(0, 3).map(({ path }) => path)).toContain("config.yaml");
  });

  test("O43: a failed verification is said", async () => {
    const failed = verificationRun({ exit_code: 1 });
    const verification = { state: {}, latest: [failed], standing: [] };
    const report = await withReports(shared, (context) => reviewReport(context), { verification });
    expect(report.verification_history).toHaveLength(1);
    const signals = report.action_guidance.stop_signals.join("\n");
    expect(signals).toContain("Most recent verification failed");
    expect(report.notes.join("\n")).toContain("Most recent verification failed");
  });

  test("O44: one that passed since is not", async () => {
    const failed = verificationRun({ exit_code: 1, id: 1 });
    const passed = verificationRun({ id: 2, ran_at: "2026-12-02T12:01:00.000Z" });
    const verification = { state: {}, latest: [passed, failed], standing: [] };
    const report = await withReports(shared, (context) => reviewReport(context), { verification });
    expect(report.verification_history).toHaveLength(2);
    expect(JSON.stringify(report)).not.toContain("Most recent verification failed");
  });

  test("O46: changed-now before any index", async () => {
    await using repo = await testRepository();
    await repo.commit("first", { "a.go": "package a\n" });
    await repo.write({ "scratch.go": "package a\n" });
    const report = await withReports(repo, changedNowReport, { isIndexed: false });
    expect(report.index_status).toBe("missing");
    expect(report.recommended_next_command).toBe("pallium index");
    expect(report.files).toEqual([
      {
        path: "scratch.go",
        working_tree_status: "??",
        risk_level: "unknown",
        suggested_tests: [],
        blast_radius: [],
      },
    ]);
  });

  test("O47, O48: preflight of a scope", async () => {
    const report = await onEdited(MAIN_EDITED, (context) =>
      preflightReport(context, {
        task: "tighten workflow tests",
        scope: ["main.go"],
        base: { root: context.repository.root, prefix: "", exists: () => true },
      }),
    );
    expect(report.task).toBe("tighten workflow tests");
    expect(report.scope_paths).toEqual(["main.go"]);
    for (const list of [report.safe, report.files_to_inspect, report.test_commands]) {
      expect(list).not.toBeEmpty();
    }
    expect(report.agent_instructions).not.toBeEmpty();
  });

  test("O49: handoff of the last commit and an edit", async () => {
    const report = await onEdited(MAIN_EDITED, (context) => handoffReport(context));
    expect(report.summary).toContain("1 commit");
    expect(report.next_actions).not.toBeEmpty();
    expect(report.freshness.indexed_at).not.toBe("");
    expect(report.evidence.sources).toContain("working-tree");
  });
});
