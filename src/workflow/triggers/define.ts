/** From what the user says of a trigger to its definition: every mistake is found before it is written. */
import { resolve } from "node:path";
import { PalliumError, usageError } from "../../lib/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { nearMatch } from "../../lib/near-match.ts";
import { assertId } from "../../lib/valid-id.ts";
import { isDirectory, realPath } from "../../platform/files.ts";
import { userTimeZone } from "../../platform/time-zone.ts";
import { savedWorkflowId } from "../authoring/saved.ts";
import type { WorkflowPowers } from "../powers.ts";
import type { StoreRequest } from "../with-store.ts";
import { openSchedule, type Schedule } from "./schedule.ts";
import type { TriggerDefinition, TriggerRow } from "./store.ts";
import { TRIGGER_KINDS, type TriggerKind } from "./types.ts";

export interface TriggerAddRequest extends StoreRequest {
  readonly name: string;
  readonly task: string;
  readonly cwd?: string;
  /** Without it the schedule says, else it is `manual`. */
  readonly kind?: string;
  /** Name of a saved workflow; exclusive with `script`. */
  readonly workflow?: string;
  readonly script?: string;
  /** JSON text. */
  readonly args?: string;
  readonly disabled?: boolean;
  /** Length of time between runs, for `interval`. */
  readonly every?: string;
  /** Five fields, for `cron`. */
  readonly cron?: string;
  /** IANA name of the zone that the pattern is in; the user's own without. */
  readonly tz?: string;
  /** Patterns as in `.gitignore`, for `on-changed`. */
  readonly paths?: readonly string[];
}

/** @throws PalliumError `usage`, `invalid_id`, `cwd_not_found` */
export async function defineTrigger(
  powers: WorkflowPowers,
  request: TriggerAddRequest,
): Promise<TriggerDefinition> {
  assertId(request.name, "trigger name");
  const kind = kindOf(request);
  assertFlags(request, kind);
  const schedule = scheduleOf(powers, request, kind);
  const cadence = schedule && (await openSchedule(schedule));
  const { workflow, script } = request;
  return {
    name: request.name,
    kind,
    task: taskOf(request),
    cwd: await folder(powers, request.cwd),
    workflow_name: workflow === undefined ? null : savedWorkflowId(workflow),
    script_path: script === undefined ? null : resolve(powers.environment.cwd, script),
    args_json: request.args ?? null,
    schedule: schedule?.text ?? null,
    time_zone: kind === "cron" ? (schedule?.timeZone ?? null) : null,
    paths_json: request.paths?.length ? JSON.stringify(request.paths) : null,
    enabled: request.disabled === true ? 0 : 1,
    next_due_at: cadence?.first(powers.clock.now()).toISOString() ?? null,
  };
}

/** What is due stays due where only other things of the trigger were changed. */
export function keepDue(
  definition: TriggerDefinition,
  before: TriggerRow | undefined,
): TriggerDefinition {
  const isKept =
    before?.enabled === 1 &&
    before.kind === definition.kind &&
    before.schedule === definition.schedule &&
    before.time_zone === definition.time_zone;
  return isKept ? { ...definition, next_due_at: before.next_due_at } : definition;
}

/** The schedule of a trigger of time. */
export function storedSchedule(row: TriggerRow): Schedule | undefined {
  if ((row.kind !== "interval" && row.kind !== "cron") || row.schedule === null) return undefined;
  return { kind: row.kind, text: row.schedule, timeZone: row.time_zone ?? "UTC" };
}

function kindOf({ kind, every, cron }: TriggerAddRequest): TriggerKind {
  if (kind === undefined) {
    if (every !== undefined) return "interval";
    return cron === undefined ? "manual" : "cron";
  }
  const known = TRIGGER_KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  const near = nearMatch(kind, TRIGGER_KINDS);
  throw usageError(
    `unknown trigger kind ${JSON.stringify(kind)}`,
    near === undefined ? `it is one of: ${TRIGGER_KINDS.join(", ")}` : `did you mean ${near}?`,
  );
}

/** A flag that the kind has no use for would be believed to do something. */
function assertFlags(request: TriggerAddRequest, kind: TriggerKind): void {
  const { workflow, script, args, every, cron, tz, paths = [] } = request;
  if (script !== undefined && workflow !== undefined) {
    throw usageError("use either --script or --workflow, not both");
  }
  if (script === "") throw usageError("--script needs the path of a script");
  if (args !== undefined && parseJson(args) === undefined) {
    throw usageError(
      "--args is not JSON",
      `quote it for the shell, such as --args '{"topic":"auth"}'`,
    );
  }
  const only = (flag: string, given: boolean, wanted: TriggerKind) => {
    if (given && kind !== wanted) {
      throw usageError(`${flag} goes with --kind ${wanted}, not with ${kind}`);
    }
  };
  only("--every", every !== undefined, "interval");
  only("--cron", cron !== undefined, "cron");
  only("--tz", tz !== undefined, "cron");
  only("--path", paths.length > 0, "on-changed");
}

function scheduleOf(
  { environment }: WorkflowPowers,
  { every, cron, tz }: TriggerAddRequest,
  kind: TriggerKind,
): Schedule | undefined {
  if (kind !== "interval" && kind !== "cron") return undefined;
  const text = kind === "interval" ? every : cron;
  if (text !== undefined) {
    return { kind, text: text.trim(), timeZone: tz ?? userTimeZone(environment.variables.TZ) };
  }
  throw kind === "interval"
    ? usageError("--kind interval needs --every", "say how often, such as --every 15m")
    : usageError("--kind cron needs --cron", 'say when, such as --cron "0 9 * * 1-5"');
}

function taskOf({ task, workflow, script }: TriggerAddRequest): string {
  const said = task.trim();
  if (said !== "") return said;
  if (workflow !== undefined) return `Run saved workflow ${savedWorkflowId(workflow)}`;
  if (script !== undefined) return `Run workflow script ${script}`;
  throw usageError(
    "a workflow trigger requires a task, --workflow or --script",
    'say what to do: pallium workflow trigger add nightly "review this branch"',
  );
}

async function folder({ environment }: WorkflowPowers, cwd = "."): Promise<string> {
  const path = resolve(environment.cwd, cwd);
  if (await isDirectory(path)) return realPath(path);
  throw new PalliumError("cwd_not_found", `not a directory: ${path}`, {
    exitCode: 2,
    hints: ["name a folder that exists with --cwd"],
  });
}
