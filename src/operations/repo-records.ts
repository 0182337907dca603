/** zod schemas of what several reports of repo memory hold. */
import { z } from "zod";
import { count, texts, time, timeOrEmpty } from "./fields.ts";

export const neighbor = z.strictObject({
  path: z.string(),
  cochange_count: count.describe("commits that touched both, of those that touched few files"),
  recency_weight: z.number().describe("the same, each counting the less the older it is"),
});

export const riskLevel = z.enum(["low", "medium", "high", "unknown"]);

export const risk = z.strictObject({
  path: z.string(),
  score: z.int().describe("share of the repository's files that are less risky, 0 to 100"),
  level: riskLevel,
  churn_score: count,
  recent_touch_count: count,
  neighbor_count: count,
  author_count: count,
  last_touched_at: timeOrEmpty,
  reasons: texts,
  top_neighbors: z.array(neighbor),
  lines: count,
});

export const decision = z.strictObject({
  source_type: z.enum(["git", "workflow"]),
  source_ref: z
    .string()
    .describe("full hash of the commit, or id of a decision that a run recorded"),
  title: z.string(),
  body: z.string(),
  committed_at: time,
  run_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
});
