/** zod schemas of what commands return that take runs as a whole. */
import { z } from "zod";
import { count } from "./fields.ts";

export const archiveOutputs = {
  "workflow.delete": z.strictObject({
    id: z.string(),
    deleted: z.literal(true),
    path: z.string().describe("where its files were"),
    bytes_freed: count,
  }),
};
