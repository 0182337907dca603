/** zod schemas of what the operations of repo memory return. */
import { z } from "zod";
import { count, texts, time, timeOrEmpty } from "./fields.ts";
import { mapOutput } from "./map-schema.ts";
import { decision, neighbor, risk } from "./repo-records.ts";
import { reportOutputs } from "./report-schemas.ts";

const related = neighbor.extend({
  confidence: z.number().describe("share of the file's commits that touched the other too, 0 to 1"),
  recent_confidence: z.number().describe("the same of its latest commits"),
  support: count.describe("commits of the file that count"),
  score: z.number().describe("what the ranking sorts by, 0 to 1"),
  reasons: texts,
});

const index = z.strictObject({
  repo_root: z.string(),
  branch: z.string(),
  commit_count: count,
  file_count: count,
  cochange_edge_count: count,
  link_count: count,
  indexed_at: time,
  commit: z.string(),
  outcome: z.enum(["built", "updated", "current", "behind"]),
  commits_added: count,
  commits_removed: count,
});

const doctor = z.strictObject({
  repo_root: z.string(),
  repo_db_path: z.string(),
  repo_db_exists: z.boolean(),
  index_status: z.enum(["missing", "indexed", "stale"]),
  indexed_branch: z.string().optional(),
  last_indexed_commit: z.string().optional(),
  indexed_at: time.optional(),
  current_branch: z.string().optional(),
  current_commit: z.string().optional(),
  working_tree_dirty: z.boolean(),
  working_tree_file_count: count,
  session_db_path: z.string(),
  session_db_exists: z.boolean(),
  session_stats: z
    .looseObject({
      sessions: count,
      events: count,
      messages: count,
      chunks: count,
      embeddings: count,
      models: z.array(z.unknown()),
    })
    .describe("as sessions stats has it"),
  embedding_model: z.string(),
  embedding_backlog: count,
  openai_key_available: z.boolean(),
  executable_path: z.string(),
  recommended_next_command: z.string().optional(),
  notes: texts,
});

const expiredTask = z.strictObject({
  goal: z.string(),
  scope_paths: texts,
  started_at: time,
  expired_at: time,
});

const task = z.strictObject({
  goal: z.string().describe("empty while no task is in force"),
  scope_paths: texts,
  started_at: timeOrEmpty,
  expires_at: time.optional(),
  expired: expiredTask.optional(),
});

const estimate = z.strictObject({
  mean: z.number(),
  low: z.number().describe("of the 95 % interval"),
  high: z.number(),
});

const scoredPart = z.strictObject({
  cases: count,
  measures: z.array(
    z.strictObject({
      measure: z.string(),
      rankers: z.array(estimate.extend({ ranker: z.string() })),
      best_other: z.string(),
      ahead: estimate.describe("how far ours is ahead of the best other"),
    }),
  ),
});

const score = z.strictObject({
  repo_root: z.string(),
  head: z.string(),
  from: timeOrEmpty,
  to: timeOrEmpty,
  is_complete: z.boolean(),
  related: scoredPart,
  tests: scoredPart,
  risk: scoredPart,
});

export const repoOutputs = {
  index,
  doctor,
  risk,
  neighbors: z.array(related),
  decisions: z.array(decision),
  score,
  ...reportOutputs,
  map: mapOutput,
  "task.start": task,
  "task.show": task,
  "task.clear": z.strictObject({ status: z.literal("cleared") }),
} as const;
