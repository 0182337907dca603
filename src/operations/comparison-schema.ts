/** zod schema of what `workflow diff` of two runs returns. */
import { z } from "zod";
import { CALL_OUTCOMES } from "../providers/contract.ts";
import { ASPECTS, CHANGES } from "../workflow/comparison/compared-calls.ts";
import { OPTIONS } from "../workflow/comparison/recorded-calls.ts";
import { AGENT_STATUSES, RUN_STATUSES } from "../workflow/run/types.ts";
import { count, time } from "./fields.ts";

const change = z.enum(CHANGES);
const dollars = z.number().min(0).describe("US dollars, reported or estimated");
const milliseconds = count.optional().describe("absent where there is no end");
const aspects = z.array(z.enum(ASPECTS));

const difference = z.strictObject({
  where: z.string().describe("in words"),
  removed: count.describe("lines; 0 where they were not compared"),
  added: count,
  diff: z.string().optional().describe("hunks of a unified diff; JSON is laid out before"),
  diff_omitted: z.literal("too_large").optional(),
});
const text = { change, difference: difference.optional() };

const side = z.strictObject({
  id: z.string(),
  call_index: z.int().min(1),
  provider: z.string(),
  model: z.string().optional(),
  mode: z.string(),
  status: z.enum(AGENT_STATUSES),
  outcome: z.enum(CALL_OUTCOMES).optional(),
  error: z.string().optional(),
  duration_ms: milliseconds,
  cost_usd: dollars,
  input_tokens: count,
  output_tokens: count,
  attempts: count,
});

const run = z.strictObject({
  id: z.string(),
  task: z.string(),
  cwd: z.string(),
  script_name: z.string(),
  status: z.enum(RUN_STATUSES),
  error: z.string().optional(),
  created_at: time,
  completed_at: time.optional(),
  duration_ms: milliseconds,
  agents_total: count,
  cost_usd: dollars,
  input_tokens: count,
  output_tokens: count,
});

export const runComparison = z.strictObject({
  before: run,
  after: run,
  scripts: z
    .array(z.strictObject({ name: z.string(), ...text }))
    .describe("that of the runs first, then saved workflows that it ran"),
  args: z.strictObject(text),
  result: z.strictObject(text),
  calls_by_change: z.strictObject({
    same: count,
    differs: count,
    only_before: count,
    only_after: count,
  }),
  first_divergence: z
    .strictObject({
      label: z.string().optional(),
      scope: z.string(),
      change,
      differs: aspects,
      before: z.string().optional().describe("id of the call in the first run"),
      after: z.string().optional(),
    })
    .optional()
    .describe("the first call that is not the same"),
  calls: z
    .array(
      z.strictObject({
        change,
        primitive: z.string(),
        label: z.string().optional(),
        scope: z.string().describe("where in the script it is made; empty at its top"),
        moved_from: z.string().optional().describe("where the first run made it"),
        differs: aspects.describe("time and cost are no difference"),
        before: side.optional(),
        after: side.optional(),
        options: z
          .partialRecord(z.enum(OPTIONS), z.strictObject({ before: z.string(), after: z.string() }))
          .optional()
          .describe("those that differ; paths from the directory of the run, schemas as hashes"),
        prompt: difference.optional(),
        output: difference.optional(),
      }),
    )
    .describe("in the order in which the first run started them"),
});
