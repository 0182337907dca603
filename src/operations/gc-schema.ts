/** zod schema of what `workflow gc` returns. */
import { z } from "zod";
import { count } from "./fields.ts";

const runFolder = { id: z.string(), path: z.string() };
const removedFolder = z.strictObject({ ...runFolder, bytes: count });

export const collectReport = z.strictObject({
  removed: z.array(removedFolder),
  count,
  bytes_freed: count,
  left_overs: z
    .array(removedFolder)
    .describe(
      "of old runs that keep their other files: trees of calls that are over, unfinished work",
    ),
  skipped: z
    .array(z.strictObject({ ...runFolder, code: z.string(), error: z.string() }))
    .describe("runs whose files were to go and did not"),
  max_bytes: count.optional().describe("what max_size said"),
  bytes_kept: count.optional().describe("with max_size: of all runs' files that are left"),
  dry_run: z.boolean().optional().describe("nothing was removed"),
  reconciled: z
    .array(z.strictObject({ run_id: z.string(), agents_reconciled: count }))
    .optional()
    .describe("where it was asked for"),
});
