/** zod schemas of what is streamed of a run while it goes on: each describes one line. */
import { z } from "zod";
import { OUTPUT_STREAMS } from "../workflow/live/call-outputs.ts";

const logLine = z.strictObject({
  call_id: z.string(),
  name: z.string().describe("the label, with the number of the call where others have the same"),
  phase: z.string().optional(),
  stream: z.enum(OUTPUT_STREAMS),
  attempt: z.string().optional().describe("which time it was asked, where not the first"),
  text: z.string(),
  omitted_bytes: z.int().min(1).optional().describe("left out at the end of a long line"),
});

export const liveOutputs = { "workflow.logs": logLine } as const;
