/** zod schemas of what the operations on triggers return. */
import { z } from "zod";
import {
  SERVICE_MANAGERS,
  SERVICE_STATES,
  TRIGGER_KINDS,
  WATCH_KINDS,
} from "../workflow/triggers/types.ts";
import { count, seconds, texts, time } from "./fields.ts";

const trigger = z.strictObject({
  name: z.string(),
  kind: z.enum(TRIGGER_KINDS),
  task: z.string(),
  cwd: z.string(),
  workflow_name: z.string().optional(),
  script_path: z.string().optional(),
  args_json: z.string().optional(),
  schedule: z.string().optional().describe("a length of time, or a pattern of cron"),
  time_zone: z.string().optional(),
  paths: texts.optional(),
  enabled: z.boolean(),
  last_run_id: z.string().optional(),
  last_ran_at: time.optional(),
  last_fingerprint: z.string().optional(),
  next_due_at: time.optional(),
  created_at: time,
  updated_at: time,
});

const skipped = z.strictObject({
  last_run_id: z.string(),
  name: z.string(),
  next_due_at: time.optional(),
  reason: z.enum(["unchanged", "not_due"]),
  skipped: z.literal(true),
});

const failed = z.strictObject({ name: z.string(), code: z.string(), error: z.string() });

/**
 * @param snapshot the schema of a run's records.
 * @param background that of a run in a process of its own.
 */
export function triggerOutputs<Shape extends z.ZodRawShape, Background extends z.ZodRawShape>(
  snapshot: z.ZodObject<Shape>,
  background: z.ZodObject<Background>,
) {
  const firing = {
    name: z.string(),
    missed: z.int().min(1).optional().describe("times that passed without a run before this one"),
  };
  const started = [
    z.strictObject({ ...snapshot.shape, ...firing }),
    z.strictObject({ ...background.shape, ...firing }),
  ];
  return {
    "workflow.trigger.add": trigger,
    "workflow.trigger.list": z.array(trigger),
    "workflow.trigger.show": trigger,
    "workflow.trigger.enable": trigger,
    "workflow.trigger.disable": trigger,
    "workflow.trigger.delete": z.strictObject({ deleted: z.literal(true), name: z.string() }),
    "workflow.trigger.run": z.union([snapshot, background, skipped]),
    "workflow.trigger.install": z.strictObject({
      as: z.enum(SERVICE_MANAGERS),
      state: z.enum(SERVICE_STATES),
      path: z.string().optional(),
      content: z.string().describe("the file, or the line of the crontab"),
      to_do: texts.describe("commands that failed, and are left to the user"),
    }),
    "workflow.trigger.watch": z.strictObject({
      background: z.boolean(),
      checked: count,
      checked_at: seconds,
      errors: count,
      kind: z.enum(WATCH_KINDS),
      next_check: seconds.optional(),
      results: z.array(z.union([...started, skipped, failed])).optional(),
      skipped: count,
      started: count,
    }),
  } as const;
}
