/** zod schema of what `workflow audit` returns. */
import { z } from "zod";
import { AUDIT_STATUSES } from "../workflow/audit/finding.ts";
import { count, texts } from "./fields.ts";

const requirement = z.strictObject({
  id: z.string(),
  version: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(AUDIT_STATUSES),
  evidence: z.string().describe("what was done and seen, or why it was not"),
  duration_ms: count,
});

export const auditReport = z.strictObject({
  versions: texts,
  complete: z.boolean().describe("nothing failed, and nothing is missing in this version"),
  requirements: z.array(requirement),
  by_version: z.record(z.string(), z.array(requirement)),
  counts: z.record(z.enum(AUDIT_STATUSES), count),
  acceptance_script: z.string(),
  acceptance_passed: z.boolean().optional().describe("where the script was run"),
  acceptance_error: z.string().optional().describe("what it printed where it did not pass"),
});
