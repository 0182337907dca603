/** What to look at, run and ask before a change goes on. */
import { byPath } from "../../lib/by-text.ts";
import { counted } from "../../lib/counted.ts";
import { boundaryWarnings } from "../analysis/boundaries.ts";
import { changeConfidence, type Known } from "../analysis/confidence.ts";
import { evidenceOf } from "../analysis/evidence.ts";
import { guidance } from "../analysis/guidance.ts";
import type { RiskLevel } from "../analysis/risk.ts";
import { taskScopeReport } from "../analysis/scope.ts";
import { shellQuote } from "../verification/display.ts";
import { NOTHING } from "../verification/types.ts";
import { type AheadOf, aheadOf, aheadText, mainBranches } from "./ahead-of-main.ts";
import { brokenImports } from "./broken-imports.ts";
import type { ReportContext } from "./context.ts";
import { explainCommand, firstReason } from "./file-report.ts";
import { missingPartners } from "./missing-partners.ts";
import { emptyTree, isLastCommit, type ReviewBase } from "./review-base.ts";
import { diffFiles, mergeChanges, type TouchedFile } from "./review-diff.ts";
import {
  type Examined,
  examine,
  MOST_LOOKED_AT,
  reviewedFile,
  testsInTurns,
} from "./review-files.ts";
import { type Change, reviewNotes, reviewSignals } from "./review-notes.ts";
import { type PatchText, readPatch } from "./review-patch.ts";
import { type ReviewRange, reviewRange } from "./review-range.ts";
import { reviewSecrets } from "./review-secrets.ts";
import type { ReviewReport } from "./shapes.ts";
import { verificationHistory } from "./verification-history.ts";
import { showPlan } from "./verification-plan.ts";

export interface ReviewInput {
  /** A branch, tag or commit; the first parent of the checked-out commit without. */
  readonly base?: string;
  /** Whether only what is staged counts, against the checked-out commit. */
  readonly staged?: boolean;
  /** What the user ran, so that it can be named with another base; `review` without. */
  readonly command?: "review" | "handoff";
  /** The change as far as it was read already. */
  readonly begun?: Promise<ReviewRange | undefined>;
}

const MOST_REQUIRED_TESTS = 10;
const MOST_PLANNED_TESTS = 30;
const MOST_SESSIONS = 5;

/** @throws PalliumError `bad_ref`, `base_unknown`. */
export async function reviewReport(
  context: ReportContext,
  input: ReviewInput = {},
): Promise<ReviewReport> {
  const isStaged = input.staged === true;
  const { base, touched, patch } = await changeOf(context, input);
  const paths = touched.map(({ path }) => path);
  const task = taskScopeReport(context.task, paths);
  const [found, sessions] = await Promise.all([
    reviewSecrets(context, patch, touched),
    context.relatedSessions(paths, MOST_SESSIONS),
    lookAhead(context, paths),
  ]);
  const weighsMore = new Set([
    ...task.out_of_scope_changed,
    ...found.secrets.map(({ file }) => file),
  ]);
  const files = examine(context, touched, weighsMore);
  const tests = testsInTurns(files);
  const ordered = files.map((file) => file.touched.path);
  // Of no target the whole repository would be planned.
  const plan = showPlan(
    files.length === 0 ? NOTHING : context.plan(ordered, tests.slice(0, MOST_PLANNED_TESTS)),
  );
  const missing = missingPartners(files);
  const broken = brokenImports(context, touched);
  const confidence = changeConfidence(known(files), context.freshness.is_stale);
  const change: Change = { base, files, task, found, missing, broken, plan };
  return {
    base_ref: base.ref,
    head_ref: isStaged ? "index" : "HEAD",
    merge_base: base.commit ?? "",
    summary: summary(files, change, isStaged),
    freshness: context.freshness,
    evidence: evidenceOf({
      commits: sum(files, ({ facts }) => facts.commits),
      links: sum(files, ({ facts }) => facts.links.length),
      tests: tests.length,
      commands: plan.commands,
      changedFiles: touched.filter(({ source }) => source !== "committed").length,
      hasTask: task.goal !== "",
    }),
    changed_files: files.map(reviewedFile),
    required_tests: tests.slice(0, MOST_REQUIRED_TESTS),
    test_commands: plan.test_commands,
    verification: plan.verification,
    confidence,
    action_guidance: reviewGuidance(context, change, confidence),
    task,
    boundary_warnings: boundaryWarnings(present(files)),
    missing_partners: missing,
    broken_imports: broken,
    untested: files.filter(({ needsTests }) => needsTests).map(({ touched: { path } }) => path),
    secrets: found.secrets,
    related_sessions: sessions,
    verification_history: verificationHistory(context.verification),
    notes: reviewNotes(context, change),
  };
}

/** Looks at the files while git reads the patch; in a large change, which ones is not known before. */
async function lookAhead({ factsOf }: ReportContext, paths: readonly string[]): Promise<void> {
  if (paths.length > MOST_LOOKED_AT) return;
  for (const path of paths) {
    factsOf(path);
    // What git prints in the meantime goes on its way.
    await new Promise(setImmediate);
  }
}

interface WholeChange {
  readonly base: ReviewBase;
  readonly touched: readonly TouchedFile[];
  /** Absent where there is no base. */
  readonly patch: Promise<PatchText | undefined> | undefined;
}

async function changeOf(
  context: ReportContext,
  { base: ref, staged, command = "review", begun }: ReviewInput,
): Promise<WholeChange> {
  const { git, repository, freshness } = context;
  const head = freshness.current_commit || undefined;
  if (staged === true) return stagedChange(context, head);
  const [range, branches] = await Promise.all([
    reviewRange(git, repository.root, head, ref, begun),
    isLastCommit(ref) ? mainBranches(context) : [],
  ]);
  const { base, patch } = range;
  if (base.commit === undefined || head === undefined)
    return { base, touched: mergeChanges([], context.changes), patch };
  const [committed, ahead] = await Promise.all([
    range.committed,
    base.isEmpty ? undefined : aheadOf(branches, context, base.commit),
  ]);
  const notes = ahead === undefined ? base.notes : [...base.notes, lastOfMany(ahead, command)];
  return { base: { ...base, notes }, touched: mergeChanges(committed, context.changes), patch };
}

async function stagedChange(
  { git, repository: { root } }: ReportContext,
  head: string | undefined,
): Promise<WholeChange> {
  const commit = head ?? (await emptyTree(git, root));
  const [files, patch] = [diffFiles(git, root, commit), readPatch(git, root, commit, true)];
  void Promise.allSettled([patch]);
  const touched = (await files).map((file) => ({ ...file, source: "staged" as const }));
  const base = { ref: "HEAD", commit, isEmpty: head === undefined, notes: [] };
  return { base, touched: touched.sort(byPath), patch };
}

function lastOfMany(ahead: AheadOf, command: string): string {
  return `The last of ${aheadText(ahead)}; see all: pallium ${command} ${shellQuote(ahead.branch)}`;
}

/** What is known of those that were looked at; documents count where there is nothing else. */
function known(files: readonly Examined[]): readonly Known[] {
  const looked = files.filter(({ isLookedAt }) => isLookedAt);
  const code = looked.filter(({ isCode }) => isCode);
  return (code.length > 0 ? code : looked).map(({ facts }) => facts.known);
}

/** Files that are still there. */
function present(files: readonly Examined[]): readonly string[] {
  return files.filter(({ touched }) => touched.status !== "D").map(({ touched }) => touched.path);
}

function sum(files: readonly Examined[], of: (file: Examined) => number): number {
  return files.reduce((total, file) => total + of(file), 0);
}

function summary(
  files: readonly Examined[],
  { base, found, missing, task }: Change,
  isStaged: boolean,
): string {
  if (files.length === 0)
    return isStaged ? "Nothing is staged." : `Nothing changed since ${base.ref}.`;
  const high = files.filter(({ facts, isCode }) => isCode && facts.level === "high").length;
  const parts = [
    ...(high > 0 ? [`${counted(high, "of them is", "of them are")} high-risk`] : []),
    ...(found.secrets.length > 0 ? [counted(found.secrets.length, "possible secret")] : []),
    ...(task.has_scope_drift
      ? [`${counted(task.out_of_scope_changed.length, "file")} outside the task`]
      : []),
    ...(missing.length > 0
      ? [
          `${counted(missing.length, "file that usually changes", "files that usually change")} too did not`,
        ]
      : []),
  ];
  const changed = `${counted(files.length, "file")} changed since ${base.ref}`;
  return parts.length === 0 ? `${changed}; none is high-risk.` : `${changed}: ${parts.join(", ")}.`;
}

function reviewGuidance(
  context: ReportContext,
  change: Change,
  confidence: ReviewReport["confidence"],
): ReviewReport["action_guidance"] {
  const { files, missing, plan } = change;
  const [first] = files;
  const level = highest(files);
  const riskiest = files.find(({ facts, isCode }) => isCode && facts.level === level);
  const [widest] = [...files].sort((a, b) => b.facts.usedBy.length - a.facts.usedBy.length);
  return guidance({
    level,
    ...firstReason(
      riskiest === undefined
        ? []
        : [`${riskiest.touched.path}, ${riskiest.facts.reasons[0] ?? "as others here"}`],
    ),
    boundaries: boundaryWarnings(present(files)),
    users: widest?.facts.usedBy.length ?? 0,
    ...(widest === undefined ? {} : { used: widest.touched.path }),
    usualPartners: missing.map(({ path }) => path),
    inspect: [...missing.map(({ path }) => path), ...files.map(({ touched }) => touched.path)],
    hasLinks: files.some(({ facts }) => facts.links.length > 0),
    confidence,
    fast: plan.verification.fast,
    isTestable: files.some(({ isCode }) => isCode),
    otherwise: first === undefined ? "" : explainCommand(first.touched.path),
    signals: reviewSignals(context, change),
  });
}

const LEVELS: readonly RiskLevel[] = ["high", "medium", "unknown", "low"];

function highest(files: readonly Examined[]): RiskLevel {
  const code = files.filter(({ isCode }) => isCode);
  return LEVELS.find((level) => code.some(({ facts }) => facts.level === level)) ?? "low";
}
