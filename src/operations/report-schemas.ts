/** zod schemas of the reports of repo memory; `src/repo/reports/shapes.ts` says what they mean. */
import { z } from "zod";
import { count, texts, time, timeOrEmpty } from "./fields.ts";
import { decision, neighbor, risk, riskLevel } from "./repo-records.ts";
import { relatedSession } from "./session-schemas.ts";

const freshness = z.strictObject({
  index_status: z.enum(["indexed", "missing"]),
  indexed_at: timeOrEmpty,
  indexed_branch: z.string(),
  last_indexed_commit: z.string(),
  current_branch: z.string(),
  current_commit: z.string(),
  working_tree_dirty: z.boolean(),
  working_tree_file_count: count,
  is_stale: z.boolean(),
  reasons: texts,
});

const evidence = z.strictObject({ sources: texts, notes: texts });

const confidence = z.strictObject({
  level: z.enum(["low", "medium", "high"]),
  score: count,
  reasons: texts,
});

const verificationPlan = z.strictObject({ fast: texts, safe: texts, full: texts });

const boundaryWarning = z.strictObject({ label: z.string(), reason: z.string() });

const guidance = z.strictObject({
  inspect_first: texts,
  run_next: texts,
  recommended_next_command: z.string(),
  safe_to_edit_alone: z.boolean(),
  must_review: z.boolean(),
  must_verify: z.boolean(),
  ask_for_review_if: texts,
  stop_signals: texts,
  confidence_gaps: texts,
  boundary_warnings: z.array(boundaryWarning),
});

const taskScope = z.strictObject({
  goal: z.string(),
  scope_paths: texts,
  started_at: timeOrEmpty,
  in_scope_changed: texts,
  out_of_scope_changed: texts,
  has_scope_drift: z.boolean(),
});

const commit = z.strictObject({ sha: z.string(), subject: z.string(), committed_at: time });

const verificationRecord = z.strictObject({
  id: count,
  tier: z.string(),
  command: z.string(),
  exit_code: z.int(),
  duration_ms: count,
  changed_files: texts,
  cwd: z.string(),
  ran_at: time,
  head: z.string(),
  is_stale: z.boolean(),
});

const fileReport = z.strictObject({
  path: z.string(),
  freshness,
  evidence,
  test_commands: texts,
  verification: verificationPlan,
  confidence,
  action_guidance: guidance,
  risk,
});

const link = z.strictObject({ path: z.string(), kind: z.string() });

const explain = fileReport.extend({
  summary: z.string(),
  edit_checklist: texts,
  suggested_tests: texts,
  test_choice: z.array(
    z.strictObject({
      path: z.string(),
      score: z.number(),
      cochange_count: count,
      is_connected: z.boolean(),
      reasons: texts,
    }),
  ),
  blast_radius: texts,
  structural_links: z.array(link.extend({ reason: z.string() })),
  uses: z.array(link),
  uses_count: count,
  used_by: z.array(link),
  used_by_count: count,
  recent_commits: z.array(commit),
  decisions: z.array(decision),
  neighbors: z.array(neighbor),
  related_sessions: z.array(relatedSession),
});

const safe = fileReport.extend({
  verdict: z.enum(["safe_with_normal_review", "review_neighbors_first", "inspect_context_first"]),
  summary: z.string(),
  required_checks: texts,
  suggested_tests: texts,
  blast_radius: texts,
});

const plan = fileReport.extend({
  goal: z.string(),
  steps: texts,
  files_to_inspect: texts,
  tests_to_run: texts,
});

const changedNow = z.strictObject({
  summary: z.string(),
  index_status: z.string(),
  recommended_next_command: z.string().optional(),
  freshness,
  evidence,
  files: z.array(
    z.strictObject({
      path: z.string(),
      working_tree_status: z.string(),
      risk_level: riskLevel,
      suggested_tests: texts,
      blast_radius: texts,
    }),
  ),
  task: taskScope,
});

const changeSource = z.enum([
  "committed",
  "working_tree",
  "untracked",
  "committed+working_tree",
  "staged",
]);

const review = z.strictObject({
  base_ref: z.string(),
  head_ref: z.string(),
  merge_base: z.string(),
  summary: z.string(),
  freshness,
  evidence,
  changed_files: z.array(
    z.strictObject({
      path: z.string(),
      change_source: changeSource,
      status: z.string(),
      old_path: z.string().optional(),
      risk_level: riskLevel,
      top_reasons: texts,
      suggested_tests: texts,
      blast_radius: texts,
      boundary_labels: texts.optional(),
      needs_review: z.boolean(),
      needs_tests: z.boolean(),
    }),
  ),
  required_tests: texts,
  test_commands: texts,
  verification: verificationPlan,
  confidence,
  action_guidance: guidance,
  task: taskScope,
  boundary_warnings: z.array(boundaryWarning),
  missing_partners: z.array(
    z.strictObject({ path: z.string(), changed: z.string(), together: count, of: count }),
  ),
  broken_imports: z.array(
    z.strictObject({ path: z.string(), now: z.string().optional(), imported_by: texts }),
  ),
  untested: texts,
  secrets: z.array(z.strictObject({ rule: z.string(), file: z.string(), line: count })),
  related_sessions: z.array(relatedSession),
  verification_history: z.array(verificationRecord),
  notes: texts,
});

const handoff = z.strictObject({
  summary: z.string(),
  freshness,
  evidence,
  review,
  changed_now: changedNow,
  commits: z.array(commit.extend({ author: z.string(), body: z.string(), files: texts })),
  next_actions: texts,
  task: taskScope,
  related_sessions: z.array(relatedSession),
  verification_history: z.array(verificationRecord),
  document: z.string(),
});

const preflight = z.strictObject({
  task: z.string(),
  summary: z.string(),
  scope_paths: texts,
  changed_now: changedNow,
  safe: z.array(safe),
  risk_summary: texts,
  files_to_inspect: texts,
  test_commands: texts,
  verification: verificationPlan,
  agent_instructions: texts,
  next_actions: texts,
  freshness,
  evidence,
  task_scope: taskScope,
  notes: texts,
});

const verificationRun = z.strictObject({
  id: count,
  tier: z.string(),
  command: z.string(),
  argv: texts,
  cwd: z.string(),
  exit_code: z.int(),
  duration_ms: count,
  changed_files: texts,
  ran_at: time,
  head: z.string().nullable(),
  tree_hash: z.string().nullable(),
  dirty: z.boolean().nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  output: z.string(),
  interrupted: z.boolean(),
  timed_out: z.boolean(),
});

const verify = z.strictObject({
  tier: z.enum(["fast", "safe", "full"]),
  command: z.string(),
  exit_code: z.int(),
  duration_ms: count,
  changed_files: texts,
  output: z.string(),
  run: verificationRun.optional(),
  results: z.array(
    z.strictObject({
      command: z.string(),
      reason: z.string(),
      exit_code: z.int(),
      duration_ms: count,
      timed_out: z.boolean(),
      interrupted: z.boolean(),
      output: z.string(),
      failures: z.array(
        z.strictObject({
          name: z.string(),
          message: z.string(),
          file: z.string().optional(),
          line: count.optional(),
        }),
      ),
    }),
  ),
  not_run: texts,
});

export const reportOutputs = {
  explain,
  safe,
  plan,
  "changed-now": changedNow,
  review,
  handoff,
  "workflow.preflight": preflight,
  verify,
} as const;
