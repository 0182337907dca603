/** zod schema of what `map` returns. */
import { z } from "zod";
import { count, texts, time, timeOrEmpty } from "./fields.ts";
import { riskLevel } from "./repo-records.ts";

const measures = {
  path: z.string(),
  lines: count.describe("0 for what is no text, or too large to be written by hand"),
  commits: count.describe("commits that touched it"),
  recent_commits: count.describe("the same of the last 90 days"),
  heat: z.number().describe("its commits, each counting the less the older it is"),
  fixes: count.describe("its commits that mended something"),
  fix_share: z.number().describe("fixes of commits, 0 to 1"),
  risk: z.int().describe("share of the repository's files that are less risky, 0 to 100"),
  level: riskLevel,
  authors: count,
  last_touched_at: timeOrEmpty,
  kind: z.enum(["code", "test", "other"]).describe("other: documents, data, settings, generated"),
};

const file = z.strictObject(measures);

const totals = {
  path: z.string().describe("empty for the whole repository"),
  files: count.describe("at any depth"),
  lines: count,
  touches: count.describe("commits, counted once for each file they touched"),
  fixes: count,
  heat: z.number(),
  risk: z.int().describe("mean of its files, by lines"),
  high_risk_files: count,
  last_touched_at: timeOrEmpty,
};

const folder: z.ZodType = z.strictObject({
  ...totals,
  children: z.array(z.union([z.lazy(() => folder), file])),
});

export const mapOutput = z.strictObject({
  repo_root: z.string(),
  branch: z.string(),
  commit: z.string().describe("the indexed commit"),
  created_at: time,
  hotspots: z.array(
    z.strictObject({
      ...measures,
      score: z.int().describe("100 for the worst file of the repository"),
      reasons: texts,
    }),
  ),
  folders: z.array(z.strictObject(totals)).describe("folders at the top, the largest first"),
  tree: folder,
  html_path: z.string().optional().describe("where the page was written"),
});
