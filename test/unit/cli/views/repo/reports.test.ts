/** Reports on a real repository as a person reads them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { changedNowText } from "../../../../../src/cli/views/repo/changed-now.ts";
import { explainText } from "../../../../../src/cli/views/repo/explain.ts";
import { handoffText } from "../../../../../src/cli/views/repo/handoff.ts";
import { neighborsText } from "../../../../../src/cli/views/repo/neighbors.ts";
import { guidanceLines, verificationLines } from "../../../../../src/cli/views/repo/parts.ts";
import { planText } from "../../../../../src/cli/views/repo/plan.ts";
import { preflightText } from "../../../../../src/cli/views/repo/preflight.ts";
import { reviewText } from "../../../../../src/cli/views/repo/review.ts";
import { safeText } from "../../../../../src/cli/views/repo/safe.ts";
import { verifyText } from "../../../../../src/cli/views/repo/verify.ts";
import { changedNowReport } from "../../../../../src/repo/reports/changed-now.ts";
import type { ReportContext } from "../../../../../src/repo/reports/context.ts";
import { explainReport } from "../../../../../src/repo/reports/explain.ts";
import { handoffReport } from "../../../../../src/repo/reports/handoff.ts";
import { planReport } from "../../../../../src/repo/reports/plan.ts";
import { preflightReport } from "../../../../../src/repo/reports/preflight.ts";
import { reviewReport } from "../../../../../src/repo/reports/review.ts";
import { safeReport } from "../../../../../src/repo/reports/safe.ts";
import { fixtureF } from "../../../../support/fixture-f.ts";
import { verificationRun, withReports } from "../../../../support/reports.ts";
import { type TestRepository, testRepository } from "../../../../support/repository.ts";

const EVIL = "evil\u001b[31m\n- fake.ts";
const failed = verificationRun({ exit_code: 1, tree_hash: "t", command: "go test ." });

let repo: TestRepository;
beforeAll(async () => {
  repo = await fixtureF();
  await repo.write({ [EVIL]: "1\n", "config.yaml": "name: three\n" });
});
afterAll(() => repo[Symbol.asyncDispose]());

function text(print: (context: ReportContext) => string | Promise<string>): Promise<string> {
  return withReports(repo, print, {
    task: { goal: "tidy \u001b[1mup", scope: ["web"], startedAt: "2026-12-02T12:00:00.000Z" },
    verification: { state: { tree: "t" }, latest: [failed], standing: [failed] },
  });
}

const PRINTED: readonly (readonly [
  string,
  (context: ReportContext) => string | Promise<string>,
])[] = [
  ["explain", async (context) => explainText(await explainReport(context, "main.go"))],
  ["explain of a new file", async (context) => explainText(await explainReport(context, EVIL))],
  ["safe", (context) => safeText(safeReport(context, "main.go"))],
  ["plan", (context) => planText(planReport(context, "pkg/app.py"))],
  ["review", async (context) => reviewText(await reviewReport(context))],
  ["changed-now", (context) => changedNowText(changedNowReport(context))],
  ["handoff", async (context) => handoffText(await handoffReport(context))],
  [
    "preflight",
    (context) =>
      preflightText(
        preflightReport(context, {
          task: "t\u001b[2J",
          scope: ["main.go"],
          base: { root: repo.path, prefix: "", exists: () => true },
        }),
      ),
  ],
];

describe.each(PRINTED)("%s", (_, print) => {
  test("sends nothing to the terminal but text, and forges no line (repo X11)", async () => {
    const printed = await text(print);
    expect(printed).not.toContain("\u001b");
    expect(printed.split("\n")).not.toContain("- fake.ts");
  });

  test("has no empty block, no double blank line and no trailing blank", async () => {
    const printed = await text(print);
    expect(printed).not.toMatch(/:\n\n|\n\n\n|[ \t]$|undefined|null|NaN/m);
  });
});

/** A document is wrapped by what shows it, and a preflight says commands in sentences. */
test.each(PRINTED.filter(([name]) => !["handoff", "preflight"].includes(name)))(
  "%s is no wider than 80 columns, but for commands",
  async (_, print) => {
    const wide = (await text(print)).split("\n").filter((line) => line.length > 80);
    expect(wide.filter((line) => !/^- (?:go|pytest|npm) /.test(line))).toEqual([]);
  },
);

describe("what is gravest is said first", () => {
  test("in a review", async () => {
    const printed = await text(async (context) => reviewText(await reviewReport(context)));
    const places = ["Review base:", "Stop signals:", "Changed files:", "Fast verification:"].map(
      (heading) => printed.indexOf(heading),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(printed).toContain(
      "Stop signals:\n- Most recent verification failed: go test . (exit 1).",
    );
    expect(printed).toContain("Scope drift:");
    expect(printed).toMatch(/Verification history:\n- \S+ failed exit=1 duration=5ms go test \./);
  });

  test("nothing is said twice in one list", async () => {
    const printed = await text(async (context) => reviewText(await reviewReport(context)));
    const items = printed.split("\n").filter((line) => line.startsWith("- "));
    const sentencesSaid = items.filter((line) => line.includes("Most recent verification failed"));
    expect(sentencesSaid).toHaveLength(1);
  });
});

describe("sentences", () => {
  const plan = { fast: [`go test ${"./long/name ".repeat(40)}`], safe: [], full: [] };
  const advice = {
    inspect_first: [],
    run_next: [],
    recommended_next_command: "",
    safe_to_edit_alone: false,
    must_review: true,
    must_verify: true,
    ask_for_review_if: [],
    stop_signals: [],
    confidence_gaps: [],
    boundary_warnings: [],
  };

  test("say in one clause what is due", () => {
    expect(guidanceLines(advice, plan)).toEqual([
      "",
      "The edit must be reviewed and must be verified.",
    ]);
    const alone = { ...advice, must_review: false, must_verify: false, safe_to_edit_alone: true };
    expect(guidanceLines(alone, plan)).toEqual(["", "The edit is safe to make alone."]);
  });

  test("a cut command says how to get all of it", () => {
    expect(verificationLines(plan).join("")).toEndWith("… (whole: --json)");
    const ofReview = verificationLines(plan, (tier) => `pallium verify ${tier} --base main`);
    expect(ofReview.join("")).toEndWith("… (whole: pallium verify fast --base main)");
  });
});

test("related files are listed with why", () => {
  const related = {
    cochange_count: 5,
    recency_weight: 0,
    confidence: 0,
    recent_confidence: 0,
    support: 0,
    score: 0,
  };
  const printed = neighborsText([
    { ...related, path: "a.go", reasons: ["changed together in 5 of 9 commits", "uses it"] },
    { ...related, path: EVIL, reasons: [] },
  ]);
  expect(printed.split("\n")).toEqual([
    "Related files:",
    "- a.go (changed together in 5 of 9 commits; uses it)",
    String.raw`- "evil\u001b[31m\n- fake.ts"`,
  ]);
});

describe("a verification that was not run", () => {
  test("has no exit code and no time, only what would run", () => {
    const printed = verifyText(
      {
        tier: "fast",
        command: "go test ./a && go test ./b",
        exit_code: 0,
        duration_ms: 0,
        changed_files: ["a/a.go", EVIL],
        output: "",
        results: [],
        not_run: ["go test ./a", "go test ./b"],
      },
      true,
    );
    expect(printed.split("\n")).toEqual([
      "Verification tier: fast",
      "Nothing was run.",
      "",
      "Changed files:",
      "- a/a.go",
      String.raw`- "evil\u001b[31m\n- fake.ts"`,
      "",
      "Would run:",
      "- go test ./a",
      "- go test ./b",
    ]);
  });
});

test("no command of a preflight is broken at the edge", async () => {
  const printed = await text((context) =>
    preflightText(
      preflightReport(context, {
        task: "t",
        scope: ["main.go"],
        base: { root: repo.path, prefix: "", exists: () => true },
      }),
    ),
  );
  expect(printed).toContain(
    "- Validate the workflow script before it runs: pallium workflow validate <script>\n",
  );
});

test("a review before the first commit says once that there is none", async () => {
  await using unborn = await testRepository();
  await unborn.write({ "a.ts": "1\n" });
  await unborn.git("add", "a.ts");
  for (const staged of [true, false]) {
    const review = (context: ReportContext) => reviewReport(context, { staged });
    const report = await withReports(unborn, review, { isIndexed: false });
    expect(reviewText(report).split("The repository has no commits yet.")).toHaveLength(2);
  }
});
