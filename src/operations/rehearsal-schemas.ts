/** zod schemas of what rehearsals of scripts return. */
import { z } from "zod";
import { ORDERS } from "../workflow/rehearsal/determinism.ts";
import { DIVERGENCES } from "../workflow/rehearsal/divergence.ts";
import { DRY_CALL_STATES, DRY_RUN_STATES } from "../workflow/rehearsal/dry-run.ts";
import { count, texts } from "./fields.ts";

const dollars = z.number().nullable().describe("US dollars; null where nothing is known");
const tokens = z.int().nullable().describe("null where nothing is known");

const dryCall = z.strictObject({
  primitive: z.string(),
  label: z.string(),
  phase: z.string(),
  scope: z.string(),
  mode: z.string(),
  provider: z.string().describe("native for what no agent is asked for"),
  model: z.string().describe("empty for the provider's default"),
  prompt: z.string().describe("its first line"),
  has_schema: z.boolean(),
  workflow: z.string().optional().describe("the saved workflow whose script makes it"),
  line: z.int().optional().describe("of the call in its script"),
  column: z.int().optional(),
  state: z.enum(DRY_CALL_STATES),
  note: z.string().optional().describe("why it would fail, or what is to be known of its stub"),
});

const forecast = z.strictObject({
  agents: count,
  checks: count,
  manual_gates: count,
  cost_usd: dollars,
  agents_with_cost: count.describe("agents that the sum is of"),
  input_tokens: tokens,
  output_tokens: tokens,
  agents_with_tokens: count,
  groups: z.array(
    z.strictObject({
      label: z.string(),
      provider: z.string(),
      agents: count,
      basis: z
        .enum(["label", "provider", "unknown"])
        .describe("past calls of that label and provider, or of that provider and mode"),
      past_calls: count,
      cost_usd: dollars.describe("of one agent"),
      input_tokens: tokens,
      output_tokens: tokens,
    }),
  ),
});

const order = z.strictObject({
  order: z.enum(ORDERS).describe("which of the waiting calls completes first"),
  seed: z.int().optional(),
  calls: count,
});
const divergingCall = z.strictObject({
  primitive: z.string(),
  label: z.string(),
  phase: z.string(),
  scope: z.string(),
  prompt: z.string().describe("its first line"),
  workflow: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

export const rehearsalOutputs = {
  "workflow.check-determinism": z.strictObject({
    script: z.string(),
    deterministic: z.boolean(),
    orders: z.array(order),
    calls_compared: count.describe("of each order"),
    divergence: z
      .strictObject({
        kind: z.enum(DIVERGENCES),
        reason: z.string(),
        one_order: order,
        other_order: order,
        one: divergingCall.optional().describe("absent where that order has no such call"),
        other: divergingCall.optional(),
      })
      .optional()
      .describe("the first call that differs, else how results or ends differ"),
    notes: texts,
  }),
  "workflow.dry-run": z.strictObject({
    script: z.string(),
    task: z.string(),
    cwd: z.string(),
    state: z.enum(DRY_RUN_STATES).describe("cut where it made more calls than were answered"),
    error: z.string().optional().describe("why it fails on stub answers"),
    line: z.int().optional(),
    phases: z.array(
      z.strictObject({
        name: z.string(),
        declared: z.boolean(),
        entered: z.boolean(),
        calls: count,
      }),
    ),
    calls: z.array(dryCall).describe("in the order in which the script makes them"),
    forecast,
    drops: z.array(z.strictObject({ label: z.string(), error: z.string() })),
    logs: texts,
    result: z.json().describe("what the script returns on stub answers"),
    warnings: texts,
    notes: texts,
  }),
};
