/** zod schemas of what commands return that take runs as a whole. */
import { z } from "zod";
import { RUN_STATUSES } from "../workflow/run/types.ts";
import { count } from "./fields.ts";

export const archiveOutputs = {
  "workflow.delete": z.strictObject({
    id: z.string(),
    deleted: z.literal(true),
    path: z.string().describe("where its files were"),
    bytes_freed: count,
  }),
  "workflow.export": z.strictObject({
    id: z.string(),
    path: z.string().describe("of the file"),
    bytes: count,
    files: count.describe("of the run's folder"),
    left_out: z.array(z.string()).describe("paths in it that are no plain files"),
  }),
  "workflow.import": z.strictObject({
    id: z.string(),
    exported_id: z.string().describe("that it had where it was exported"),
    status: z.enum(RUN_STATUSES),
    path: z.string().describe("folder of its files here"),
    files: count,
  }),
};
