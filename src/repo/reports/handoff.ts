/** Everything that somebody needs who goes on with a piece of work. */
import { counted } from "../../lib/counted.ts";
import { shellQuote } from "../verification/display.ts";
import { branchCommits } from "./branch-commits.ts";
import { brokenImportText } from "./broken-imports.ts";
import { changedNowReport } from "./changed-now.ts";
import type { ReportContext } from "./context.ts";
import { handoffDocument } from "./handoff-document.ts";
import { missingPartnerText } from "./missing-partners.ts";
import { reviewReport } from "./review.ts";
import { DEFAULT_BASE } from "./review-base.ts";
import { type ReviewRange, reviewRange } from "./review-range.ts";
import type { BranchCommit, HandoffReport, ReviewReport } from "./shapes.ts";
import { standingFailures } from "./verification-history.ts";
import { type VerifiedState, verifiedState } from "./verified-state.ts";

export interface HandoffInput {
  /** Both as for a review. */
  readonly base?: string;
  readonly begun?: Promise<ReviewRange | undefined>;
}

const MOST_COMMANDS = 3;
/** In characters. */
const LONGEST_COMMAND = 160;

/** @throws PalliumError `bad_ref`, `base_unknown`. */
export async function handoffReport(
  context: ReportContext,
  { base: ref, begun }: HandoffInput = {},
): Promise<HandoffReport> {
  const { git, repository, freshness } = context;
  const head = freshness.current_commit || undefined;
  const range = reviewRange(git, repository.root, head, ref, begun);
  const [review, commits] = await Promise.all([
    reviewReport(context, {
      command: "handoff",
      begun: range,
      ...(ref === undefined ? {} : { base: ref }),
    }),
    commitsSince(context, range),
  ]);
  const changedNow = changedNowReport(context);
  const verified = verifiedState(context.verification, review.verification);
  const actions = nextActions(context, review, verified);
  const parts = {
    summary: summary(context, review, commits),
    freshness,
    evidence: review.evidence,
    review,
    changed_now: changedNow,
    commits,
    next_actions: actions,
    task: review.task,
    related_sessions: review.related_sessions,
    verification_history: review.verification_history,
  };
  return { ...parts, document: handoffDocument(parts, verified) };
}

async function commitsSince(
  context: ReportContext,
  range: Promise<ReviewRange>,
): Promise<readonly BranchCommit[]> {
  const { commit, isEmpty } = (await range).base;
  return branchCommits(context, isEmpty ? undefined : commit);
}

function summary(
  { freshness, task }: ReportContext,
  review: ReviewReport,
  commits: readonly BranchCommit[],
): string {
  const goal = task === undefined ? "" : `Task: ${task.goal}. `;
  const open = freshness.working_tree_file_count;
  const uncommitted = open > 0 ? `, ${counted(open, "file")} not committed` : "";
  return `${goal}${counted(commits.length, "commit")} on ${freshness.current_branch} since ${review.base_ref}${uncommitted}. ${review.summary}`;
}

function nextActions(
  context: ReportContext,
  review: ReviewReport,
  { open }: VerifiedState,
): readonly string[] {
  const { task, secrets, missing_partners, untested, verification } = review;
  const toRun = verification.fast.filter((command) => open.includes(command));
  const actions = [
    ...standingFailures(context.verification).map(({ command }) => `Mend what fails: ${command}`),
    ...secrets
      .slice(0, MOST_COMMANDS)
      .map(
        ({ file, line, rule }) =>
          `Take the secret out of ${file}:${line} (${rule}), and change it.`,
      ),
    ...(task.has_scope_drift
      ? [`Take these back, or widen the task: ${task.out_of_scope_changed.join(", ")}`]
      : []),
    ...review.broken_imports
      .slice(0, MOST_COMMANDS)
      .map((broken) => `Mend the imports: ${brokenImportText(broken)}`),
    ...(isShort(toRun)
      ? toRun.map((command) => `Run: ${command}`)
      : [`Run: ${verifyCommand("fast", review.base_ref)}`]),
    ...(open.length > toRun.length && verification.safe.some((command) => open.includes(command))
      ? [`Run the broader tests: ${verifyCommand("safe", review.base_ref)}`]
      : []),
    ...missing_partners
      .slice(0, MOST_COMMANDS)
      .map((partner) => `Look whether it must change too: ${missingPartnerText(partner)}`),
    ...(untested.length > 0
      ? [`Write tests for: ${untested.slice(0, MOST_COMMANDS).join(", ")}`]
      : []),
    ...(context.changes.length > 0
      ? [`Commit what is done: git add ${addArguments(context)} && git commit`]
      : []),
    ...(review.changed_files.length > 0
      ? [`Read the change: git diff ${review.merge_base.slice(0, 12)}`]
      : []),
  ];
  return actions.length > 0 ? actions : ["Nothing is left open here."];
}

/** Whether somebody would paste the commands one by one. */
function isShort(commands: readonly string[]): boolean {
  return (
    commands.length <= MOST_COMMANDS && commands.every(({ length }) => length <= LONGEST_COMMAND)
  );
}

function verifyCommand(tier: "fast" | "safe", base: string): string {
  const option = base === DEFAULT_BASE ? "" : ` --base ${shellQuote(base)}`;
  return `pallium verify ${tier}${option}`;
}

const MOST_ADDED = 5;

function addArguments({ changes }: ReportContext): string {
  if (changes.length > MOST_ADDED) return "-A";
  return `-- ${changes.map(({ path }) => shellQuote(path)).join(" ")}`;
}
