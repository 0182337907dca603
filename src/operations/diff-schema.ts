/** zod schema of what `workflow diff` returns. */
import { z } from "zod";
import { FILE_CHANGES } from "../lib/patch-parts.ts";
import { OMISSIONS } from "../workflow/diff/changed-files.ts";
import { DIFF_STATES } from "../workflow/diff/repo-diff.ts";
import { APPLY_STATES } from "../workflow/run/types.ts";
import { count } from "./fields.ts";

const call = {
  id: z.string(),
  label: z.string().optional(),
  phase: z.string().optional(),
  state: z.enum(APPLY_STATES),
  patch_path: z.string().describe("what this call did by itself"),
};

export const repoDiff = z.strictObject({
  root: z.string(),
  base_commit: z.string(),
  state: z.enum(DIFF_STATES),
  calls: z.array(z.strictObject(call)).describe("in the order in which they were merged"),
  conflicts: z.array(
    z.strictObject({
      ...call,
      paths: z.array(z.string()).describe("files that both sides changed"),
      others_path: z.string().describe("patch of what the others had done until then"),
    }),
  ),
  files: z.array(
    z.strictObject({
      path: z.string(),
      old_path: z.string().optional().describe("where it was renamed"),
      change: z.enum(FILE_CHANGES),
      old_mode: z.string().optional(),
      new_mode: z.string().optional(),
      binary: z.boolean(),
      additions: count.describe("lines; none of binary files"),
      deletions: count,
      patch: z.string().optional().describe("its part of the patch; absent with --stat"),
      patch_omitted: z.enum(OMISSIONS).optional().describe("why there is none"),
    }),
  ),
});
