/** zod schemas of what is streamed of a run while it goes on: each describes one line. */
import { z } from "zod";
import { CALL_OUTCOMES } from "../providers/contract.ts";
import { OUTPUT_STREAMS } from "../workflow/live/call-outputs.ts";
import { AGENT_STATUSES, RUN_STATUSES } from "../workflow/run/types.ts";
import { agentCounts, count, texts, time } from "./fields.ts";

const logLine = z.strictObject({
  call_id: z.string(),
  name: z.string().describe("the label, with the number of the call where others have the same"),
  phase: z.string().optional(),
  stream: z.enum(OUTPUT_STREAMS),
  attempt: z.string().optional().describe("which time it was asked, where not the first"),
  text: z.string(),
  omitted_bytes: z.int().min(1).optional().describe("left out at the end of a long line"),
});

const watchedAgent = z.strictObject({
  id: z.string(),
  label: z.string().optional(),
  phase: z.string().optional(),
  provider: z.string(),
  model: z.string().optional(),
  status: z.enum(AGENT_STATUSES),
  outcome: z.enum(CALL_OUTCOMES).optional(),
  started_at: time,
  ended_at: time.optional().describe("absent while it works"),
  cost_usd: z.number().min(0),
  error: z.string().optional(),
  last_line: z.string().optional().describe("what it printed last, while it works"),
});

const frame = z.strictObject({
  id: z.string(),
  task: z.string(),
  status: z.enum(RUN_STATUSES),
  verdict: z.string(),
  at: time,
  final: z.boolean().describe("nothing follows: nobody executes the run any more"),
  elapsed_ms: count.describe("in which it was executed, pauses left out"),
  spent_usd: z.number().min(0),
  usd_per_minute: z.number().min(0),
  agents_per_minute: z.number().min(0),
  agents_total: count,
  ...agentCounts,
  phases: z.array(z.strictObject({ name: z.string(), status: z.enum(["running", "completed"]) })),
  agents: z.array(watchedAgent).describe("of several attempts at one call the latest"),
  gates: z
    .array(
      z.strictObject({
        name: z.string(),
        message: z.string().optional(),
        opened_at: time,
        next: texts.describe("commands that decide it"),
      }),
    )
    .describe("those that wait for a person"),
  failure: z
    .strictObject({ code: z.string(), message: z.string(), hints: texts })
    .optional()
    .describe("why a run that has ended counts as failed, and what to do"),
});

export const liveOutputs = { "workflow.watch": frame, "workflow.logs": logLine } as const;
