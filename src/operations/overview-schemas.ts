/** zod schemas of the reports on a run and on many. */
import { z } from "zod";
import { RUN_STATUSES } from "../workflow/run/types.ts";
import { count, seconds, texts, time } from "./fields.ts";
import { relatedSession } from "./session-schemas.ts";

const decision = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  title: z.string(),
  body: z.string().optional(),
  tags: texts.optional(),
  created_at: time,
});

const dollars = z.number().min(0).describe("US dollars, reported or estimated");
const counts = z.record(z.string(), count);

const overview = {
  runs_total: count.describe("the newest runs, no more than asked for"),
  runs_by_status: z.partialRecord(z.enum(RUN_STATUSES), count),
  triggers_total: count,
  enabled_triggers: count,
  updated_at: seconds.describe("when this was counted; UTC, ISO 8601 with whole seconds"),
  reconciled: z
    .array(z.strictObject({ run_id: z.string(), agents_reconciled: count }))
    .optional()
    .describe("runs whose runner was found dead just now"),
};

/** @param records schemas of what other operations return too. */
export function overviewOutputs(records: {
  readonly run: z.ZodType;
  readonly status: z.ZodType;
  readonly failure: z.ZodType;
  readonly agentStatus: z.ZodType;
}) {
  const agent = z.strictObject({
    label: z.string().describe("its id where it has no label"),
    phase: z.string().optional(),
    provider: z.string().optional(),
    repo: z.string().optional(),
    mode: z.string(),
    status: records.agentStatus,
    estimated_cost_usd: dollars.optional(),
    summary: z.string().optional().describe("its own, else the beginning of its answer"),
    risks: texts.optional(),
    error: z.string().optional(),
    session_id: z.string().optional().describe("of its provider's own program"),
  });
  return {
    "workflow.report": z.strictObject({
      id: z.string(),
      task: z.string(),
      status: z.enum(RUN_STATUSES),
      verdict: z.string(),
      owned_session_id: z.string().optional(),
      summary: z.string(),
      findings: texts.optional(),
      risks: texts.optional(),
      next_steps: texts.optional(),
      patches: texts.optional().describe("absolute paths"),
      agents: z.array(agent),
      failures: z.array(records.failure).optional(),
      error: z.string().optional(),
      decisions: z
        .array(decision)
        .optional()
        .describe("those of the run, then those of its repository that hold its task"),
      related_sessions: z
        .array(relatedSession)
        .optional()
        .describe("with related; those of the run's own agents first"),
    }),
    "workflow.analytics": z.strictObject({
      ...overview,
      completion_rate: z.number().min(0).max(1),
      agents_total: count,
      agents_by_status: counts,
      agents_by_provider: counts,
      agents_by_mode: counts,
      patches_produced: count,
      estimated_cost_usd: dollars,
      input_tokens: count,
      output_tokens: count,
      average_agents_per_run: z.number().min(0),
      most_recent_run_id: z.string().optional(),
    }),
    "workflow.fleet": z.strictObject({
      ...overview,
      active_runs: z.array(records.run).optional().describe("queued, running and paused"),
      running_agents: count,
      paused_agents: count,
      failed_agents: count,
      recent_runs: z.array(records.status).optional(),
    }),
  } as const;
}
