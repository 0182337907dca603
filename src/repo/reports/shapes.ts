/**
 * What the reports of repo memory return, as `--json` prints it. Lists are empty, never null; times
 * are UTC in RFC 3339; paths are relative to the repository, commands are lines to paste at its root.
 */
import type { BoundaryWarning } from "../analysis/boundaries.ts";
import type { Confidence } from "../analysis/confidence.ts";
import type { Evidence } from "../analysis/evidence.ts";
import type { ActionGuidance } from "../analysis/guidance.ts";
import type { Neighbor, RiskLevel, RiskReport } from "../analysis/risk.ts";
import type { TaskScopeReport } from "../analysis/scope.ts";
import type { StructuralLink } from "../analysis/structural-links.ts";
import type { SuggestedTest } from "../analysis/test-choice.ts";
import type { Decision } from "../decisions/search.ts";
import type { LinkRow } from "../history/queries.ts";
import type { RelatedSession } from "../powers.ts";

/** How the index stands to what is checked out. */
export interface Freshness {
  readonly index_status: "indexed" | "missing";
  /** Empty without an index, as the next two. */
  readonly indexed_at: string;
  readonly indexed_branch: string;
  readonly last_indexed_commit: string;
  /** `HEAD` when none is checked out. */
  readonly current_branch: string;
  /** Empty while there are no commits. */
  readonly current_commit: string;
  readonly working_tree_dirty: boolean;
  readonly working_tree_file_count: number;
  /** Whether the index is missing or of another commit; its age does not matter. */
  readonly is_stale: boolean;
  readonly reasons: readonly string[];
}

/** Commands of each tier, as lines. */
export interface VerificationPlan {
  readonly fast: readonly string[];
  readonly safe: readonly string[];
  readonly full: readonly string[];
}

export interface CommitSummary {
  /** In full. */
  readonly sha: string;
  readonly subject: string;
  readonly committed_at: string;
}

/** One command that was run to verify something. */
export interface VerificationRecord {
  readonly id: number;
  readonly tier: string;
  readonly command: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly changed_files: readonly string[];
  readonly cwd: string;
  readonly ran_at: string;
  /** The commit it ran on; empty where nobody recorded it. */
  readonly head: string;
  /** Whether it ran on other files than the present ones, or nobody knows on which. */
  readonly is_stale: boolean;
}

/** What `explain`, `safe` and `plan` have in common. */
interface FileReport {
  readonly path: string;
  readonly freshness: Freshness;
  readonly evidence: Evidence;
  readonly test_commands: readonly string[];
  readonly verification: VerificationPlan;
  readonly confidence: Confidence;
  readonly action_guidance: ActionGuidance;
  readonly risk: RiskReport;
}

export interface ExplainReport extends FileReport {
  readonly summary: string;
  readonly edit_checklist: readonly string[];
  readonly suggested_tests: readonly string[];
  /** The same with scores and reasons. */
  readonly test_choice: readonly SuggestedTest[];
  readonly blast_radius: readonly string[];
  readonly structural_links: readonly StructuralLink[];
  /** What the file uses, and what uses it; at most 20 each. */
  readonly uses: readonly LinkRow[];
  readonly uses_count: number;
  readonly used_by: readonly LinkRow[];
  readonly used_by_count: number;
  readonly recent_commits: readonly CommitSummary[];
  /** Messages that give a decision or a reason. */
  readonly decisions: readonly Decision[];
  readonly neighbors: readonly Neighbor[];
  readonly related_sessions: readonly RelatedSession[];
}

export type Verdict =
  | "safe_with_normal_review"
  | "review_neighbors_first"
  | "inspect_context_first";

export interface SafeReport extends FileReport {
  readonly verdict: Verdict;
  readonly summary: string;
  readonly required_checks: readonly string[];
  readonly suggested_tests: readonly string[];
  readonly blast_radius: readonly string[];
}

export interface PlanReport extends FileReport {
  readonly goal: string;
  readonly steps: readonly string[];
  readonly files_to_inspect: readonly string[];
  readonly tests_to_run: readonly string[];
}

export interface ChangedFile {
  readonly path: string;
  /** Git's two letters without blanks: `M`, `MM`, `A`, `D`, `R`, `??`. */
  readonly working_tree_status: string;
  readonly risk_level: RiskLevel;
  readonly suggested_tests: readonly string[];
  readonly blast_radius: readonly string[];
}

export interface ChangedNowReport {
  readonly summary: string;
  readonly index_status: string;
  readonly recommended_next_command?: string;
  readonly freshness: Freshness;
  readonly evidence: Evidence;
  /** By path. */
  readonly files: readonly ChangedFile[];
  readonly task: TaskScopeReport;
}

export type ChangeSource =
  | "committed"
  | "working_tree"
  | "untracked"
  | "committed+working_tree"
  | "staged";

export interface ReviewedFile {
  readonly path: string;
  readonly change_source: ChangeSource;
  /** `A` added, `M` modified, `D` deleted, `R` renamed, `T` type changed. */
  readonly status: string;
  /** What a renamed file was called before. */
  readonly old_path?: string;
  readonly risk_level: RiskLevel;
  readonly top_reasons: readonly string[];
  readonly suggested_tests: readonly string[];
  readonly blast_radius: readonly string[];
  /** Left out where it lies at none. */
  readonly boundary_labels?: readonly string[];
  readonly needs_review: boolean;
  /** Whether it is a source of which no test is known, in this change or elsewhere. */
  readonly needs_tests: boolean;
}

/** A file that nearly always changes with one that did, and has not. */
export interface MissingPartner {
  readonly path: string;
  /** The file that changed. */
  readonly changed: string;
  /** Commits of the changed file that touched the other too. */
  readonly together: number;
  /** Commits of the changed file that count. */
  readonly of: number;
}

/** A file that the change renamed or deleted, and others import as before. */
export interface BrokenImport {
  readonly path: string;
  /** What it is called now; absent where it is gone. */
  readonly now?: string;
  readonly imported_by: readonly string[];
}

/** A line of the change that holds what looks like a secret; what it is stays out. */
export interface FoundSecret {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
}

export interface ReviewReport {
  /** As it was asked for. */
  readonly base_ref: string;
  readonly head_ref: string;
  /** Where the change begins: the merge base of the two, in full. */
  readonly merge_base: string;
  readonly summary: string;
  readonly freshness: Freshness;
  readonly evidence: Evidence;
  /** The most important first. */
  readonly changed_files: readonly ReviewedFile[];
  readonly required_tests: readonly string[];
  readonly test_commands: readonly string[];
  readonly verification: VerificationPlan;
  readonly confidence: Confidence;
  readonly action_guidance: ActionGuidance;
  readonly task: TaskScopeReport;
  readonly boundary_warnings: readonly BoundaryWarning[];
  readonly missing_partners: readonly MissingPartner[];
  readonly broken_imports: readonly BrokenImport[];
  /** Changed sources of which no test is known. */
  readonly untested: readonly string[];
  readonly secrets: readonly FoundSecret[];
  readonly related_sessions: readonly RelatedSession[];
  readonly verification_history: readonly VerificationRecord[];
  readonly notes: readonly string[];
}

/** A commit of the branch that is handed on. */
export interface BranchCommit extends CommitSummary {
  readonly author: string;
  /** The rest of the message, without the lines that say who had a part. */
  readonly body: string;
  readonly files: readonly string[];
}

export interface HandoffReport {
  readonly summary: string;
  readonly freshness: Freshness;
  readonly evidence: Evidence;
  readonly review: ReviewReport;
  readonly changed_now: ChangedNowReport;
  /** From the oldest to the newest. */
  readonly commits: readonly BranchCommit[];
  readonly next_actions: readonly string[];
  readonly task: TaskScopeReport;
  readonly related_sessions: readonly RelatedSession[];
  readonly verification_history: readonly VerificationRecord[];
  /** All of it as Markdown, to go on from. */
  readonly document: string;
}

export interface PreflightReport {
  readonly task: string;
  readonly summary: string;
  readonly scope_paths: readonly string[];
  readonly changed_now: ChangedNowReport;
  readonly safe: readonly SafeReport[];
  readonly risk_summary: readonly string[];
  readonly files_to_inspect: readonly string[];
  readonly test_commands: readonly string[];
  readonly verification: VerificationPlan;
  readonly agent_instructions: readonly string[];
  readonly next_actions: readonly string[];
  readonly freshness: Freshness;
  readonly evidence: Evidence;
  readonly task_scope: TaskScopeReport;
  /** What was left out for length. */
  readonly notes: readonly string[];
}
